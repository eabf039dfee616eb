#include "runtime/choice.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "ir/tunable_value.h"

namespace vyre {
namespace {

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
    if (it != sequence.tunables().end()) out.set(name, ir::value_of(it->type, it->default_bits));
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

}  // namespace

Expected<Choice> declared_choice(const ir::Sequence& sequence, const Declaration& declaration) {
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
  return Choice{.space = declaration.space,
                .default_index = *index,
                .tolerance = declaration.tolerance,
                .opaque_outputs = declaration.opaque_outputs};
}

std::optional<Choice> free_choice(const ir::Sequence& sequence, const DeviceLimits& limits) {
  auto choice = workgroup_choice(sequence, limits);
  if (!choice) return std::nullopt;
  return Choice{.space = std::move(choice->space), .default_index = choice->default_index};
}

Expected<Choice> choice_of_two(const ir::Sequence& sequence, const Config& other,
                               const DeviceLimits& limits) {
  const auto free = workgroup_of(other) ? workgroup_choice(sequence, limits) : std::nullopt;
  Config standard;
  Config wanted;
  if (free) {
    standard = free->space.config_at(free->default_index);
    wanted = workgroup_config(*workgroup_of(other));
  } else {
    standard = default_config(sequence, names_in(other));
    for (const auto& [name, value] : standard.entries()) wanted.set(name, *other.find(name));
  }
  if (standard.empty()) {
    return bad_inputs("{}: nothing in the decision ({}) can be chosen for it; tune it anew",
                      quote(sequence.def().name), to_string(other));
  }
  VYRE_TRY(space::Space space, pair_space(standard, wanted));
  return Choice{.space = std::move(space)};
}

}  // namespace vyre
