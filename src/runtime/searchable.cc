#include "runtime/searchable.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

constexpr std::string_view kSize = "vyre_workgroup_x";

Value value_of(ir::Scalar type, std::uint64_t bits) {
  switch (type) {
    case ir::Scalar::boolean:
      return bits != 0;
    case ir::Scalar::f32:
      return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    case ir::Scalar::i32:
      return std::int64_t{static_cast<std::int32_t>(bits)};
    default:
      return static_cast<std::int64_t>(bits);
  }
}

std::vector<std::string> tunable_names(const ir::Sequence& sequence) {
  std::vector<std::string> out;
  for (const ir::Symbol& symbol : sequence.tunables()) out.push_back(symbol.name);
  return out;
}

// Of these tunables, in this order; what the sequence does not declare is left out.
Config default_config(const ir::Sequence& sequence, const std::vector<std::string>& names) {
  Config out;
  for (const std::string& name : names) {
    const auto it = std::ranges::find(sequence.tunables(), name, &ir::Symbol::name);
    if (it != sequence.tunables().end()) out.set(name, value_of(it->type, it->default_bits));
  }
  return out;
}

std::vector<std::string> parameter_names(const space::Space& space) {
  std::vector<std::string> out;
  for (const space::Parameter& parameter : space.parameters()) out.push_back(parameter.name);
  return out;
}

std::vector<std::string> names_in(const Config& config) {
  std::vector<std::string> out;
  for (const auto& [name, value] : config.entries()) out.push_back(name);
  return out;
}

// Index 0 is `standard`, index 1 `other`, unless they are the same.
Expected<space::Space> pair_space(const Config& standard, const Config& other) {
  std::vector<space::Parameter> parameters;
  std::vector<space::Point> rows{{}, {}};
  for (const auto& [name, value] : standard.entries()) {
    const bool is_same = *other.find(name) == value;
    parameters.push_back({name, {value}});
    if (!is_same) parameters.back().values.push_back(*other.find(name));
    rows[0].push_back(0);
    rows[1].push_back(is_same ? 0 : 1);
  }
  if (rows[0] == rows[1]) rows.pop_back();
  return space::Space::from_rows(std::move(parameters), std::move(rows));
}

// The size that the program has without any choice; none if it is not a plain one on axis x.
std::optional<std::uint32_t> default_size(const ir::Program& program, const DeviceLimits& limits) {
  if (std::ranges::all_of(program.workgroup, [](ir::ExprId e) { return e == ir::kNone; })) {
    return default_workgroup_size(limits)[0];
  }
  if (program.workgroup[0] == ir::kNone || program.workgroup[1] != ir::kNone ||
      program.workgroup[2] != ir::kNone) {
    return std::nullopt;
  }
  const ir::Expr& size = program.exprs[program.workgroup[0]];
  if (size.op != ir::Op::constant) return std::nullopt;
  return static_cast<std::uint32_t>(size.bits);
}

// The same program, its workgroup size a tunable.
Expected<ir::Sequence> with_tunable_size(const ir::Sequence& sequence, std::uint32_t size) {
  ir::SequenceDef def = sequence.def();
  ir::Program& program = def.programs[def.steps[0].program];
  const auto symbol = static_cast<std::uint32_t>(program.symbols.size());
  program.symbols.push_back({.name = std::string(kSize),
                             .kind = ir::SymbolKind::tunable,
                             .type = ir::Scalar::u32,
                             .default_bits = size});
  program.workgroup = {static_cast<ir::ExprId>(program.exprs.size()), ir::kNone, ir::kNone};
  program.exprs.push_back({.op = ir::Op::symbol, .type = {ir::Scalar::u32}, .index = symbol});
  return ir::Sequence::make(std::move(def));
}

}  // namespace

Config Searchable::kept_config(std::uint64_t index) const {
  Config config = space.config_at(index);
  if (!is_workgroup) return config;
  const auto size = static_cast<std::uint32_t>(std::get<std::int64_t>(*config.find(kSize)));
  return workgroup_config({size, 1, 1});
}

std::optional<std::uint64_t> Searchable::find(const Config& kept) const {
  if (is_workgroup) {
    const auto size = workgroup_of(kept);
    if (!size || (*size)[1] != 1 || (*size)[2] != 1) return std::nullopt;
    return space.find({{std::string(kSize), std::int64_t{(*size)[0]}}});
  }
  Config config;  // what a decision has beside the space's parameters does not count
  for (const std::string& name : parameter_names(space)) {
    const Value* value = kept.find(name);
    if (value == nullptr) return std::nullopt;
    config.set(name, *value);
  }
  return space.find(config);
}

Expected<Searchable> make_searchable(const ir::Sequence& sequence, const Declaration& declaration) {
  const std::string name = quote(sequence.def().name);
  const auto known = tunable_names(sequence);
  const auto wanted = parameter_names(declaration.space);
  for (const std::string& parameter : wanted) {
    if (std::ranges::find(known, parameter) != known.end()) continue;
    return bad_inputs("{}: the space has a parameter {}, but there is no such tunable{}", name,
                      quote(parameter), did_you_mean(parameter, known));
  }
  const Config defaults = default_config(sequence, wanted);
  const auto index = declaration.space.find(defaults);
  if (!index) {
    return bad_inputs(
        "{}: the space does not contain the defaults ({}); add their values, or loosen its "
        "constraints",
        name, to_string(defaults));
  }
  return Searchable{.sequence = sequence,
                    .space = declaration.space,
                    .default_index = *index,
                    .tolerance = declaration.tolerance,
                    .opaque_outputs = declaration.opaque_outputs};
}

std::optional<Searchable> make_workgroup_searchable(const ir::Sequence& sequence,
                                                    const DeviceLimits& limits) {
  if (!has_free_workgroup(sequence)) return std::nullopt;
  const auto standard = default_size(sequence.def().programs[0], limits);
  if (!standard) return std::nullopt;
  std::vector<Value> sizes{std::int64_t{*standard}};
  for (const Extent& size : candidates_for(limits.workgroup_items)) {
    const bool fits = size[0] <= limits.workgroup_size[0];
    if (fits && size[0] != *standard) sizes.emplace_back(std::int64_t{size[0]});
  }
  std::ranges::sort(sizes);
  auto space = space::Space::build(
      {.parameters = {{std::string(kSize), std::move(sizes)}}, .constraints = {}});
  auto tunable = with_tunable_size(sequence, *standard);
  if (!space || !tunable || space->size() < 2) return std::nullopt;
  Searchable out{.sequence = *std::move(tunable),
                 .space = *std::move(space),
                 .tolerance = {.absolute = 0, .relative = 0},
                 .is_workgroup = true};
  out.default_index = *out.find(workgroup_config({*standard, 1, 1}));
  return out;
}

Expected<Searchable> make_pair_searchable(const ir::Sequence& sequence, const Config& kept,
                                          const DeviceLimits& limits) {
  const auto free = make_workgroup_searchable(sequence, limits);
  const auto size = free ? workgroup_of(kept) : std::nullopt;
  Config standard;
  Config other;
  if (size && (*size)[1] == 1 && (*size)[2] == 1) {
    standard = free->space.config_at(free->default_index);
    other.set(kSize, std::int64_t{(*size)[0]});
  } else {
    standard = default_config(sequence, names_in(kept));
    for (const auto& [name, value] : standard.entries()) other.set(name, *kept.find(name));
  }
  if (standard.empty()) {
    return bad_inputs("{}: nothing in the decision ({}) can be chosen for it; tune it anew",
                      quote(sequence.def().name), to_string(kept));
  }
  VYRE_TRY(space::Space space, pair_space(standard, other));
  return Searchable{.sequence = size ? free->sequence : sequence,
                    .space = std::move(space),
                    .is_workgroup = size.has_value()};
}

}  // namespace vyre
