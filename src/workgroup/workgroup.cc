#include "vyre/substrate/workgroup.h"

#include <algorithm>

#include "backend/plan.h"
#include "base/error.h"
#include "base/text.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre {
namespace {

constexpr std::array<ir::ExprId, 3> kUndeclared{ir::kNone, ir::kNone, ir::kNone};
constexpr auto kGlobalX = static_cast<std::uint32_t>(ir::IdKind::global_id) * 3;

bool is_fixed(const ir::Expr& e) { return e.op == ir::Op::id && e.index != kGlobalX; }
bool is_local(const ir::Buffer& b) { return b.access == ir::Access::local; }
bool is_shared(const ir::Stmt& s) {
  return s.kind == ir::StmtKind::barrier || s.kind == ir::StmtKind::atomic;
}

// The program of a sequence of one step; null for longer ones.
const ir::Program* only_program(const ir::Sequence& sequence) {
  const ir::SequenceDef& def = sequence.def();
  return def.steps.size() == 1 ? &def.programs[def.steps[0].program] : nullptr;
}

// Three size expressions as far as defaults of tunables tell, 1 on an axis without one. None: no
// axis is declared, or one depends on something else.
std::optional<Extent> static_extent(const ir::Program& program,
                                    const std::array<ir::ExprId, 3>& sizes) {
  if (sizes == kUndeclared) return std::nullopt;
  const auto known = ir::default_bits(program.symbols);
  Extent out{1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (sizes[axis] == ir::kNone) continue;
    const auto value = ir::fold(program, sizes[axis], known);
    if (!value) return std::nullopt;
    out[axis] = static_cast<std::uint32_t>(*value);
  }
  return out;
}

}  // namespace

bool has_free_workgroup(const ir::Sequence& sequence) {
  const ir::SequenceDef& def = sequence.def();
  const ir::Program* only = only_program(sequence);
  if (only == nullptr || def.repeat || !sequence.tunables().empty()) return false;
  const ir::Program& program = *only;
  return !program.source && program.grid == kUndeclared &&
         std::ranges::none_of(program.exprs, is_fixed) &&
         std::ranges::none_of(program.buffers, is_local) &&
         std::ranges::none_of(program.stmts, is_shared);
}

std::optional<Extent> declared_workgroup(const ir::Sequence& sequence) {
  const ir::Program* program = only_program(sequence);
  return program == nullptr ? std::nullopt : static_extent(*program, program->workgroup);
}

std::vector<Extent> candidates_for(std::uint32_t most_items) {
  std::vector<Extent> out;
  for (std::uint32_t x = 32; x <= 1024 && x <= most_items; x *= 2) out.push_back({x, 1, 1});
  return out;
}

Extent default_workgroup_size(const DeviceLimits& limits) {
  return backend::default_workgroup_size(limits);
}

Expected<V1Shape> v1_shape_of(const ir::Sequence& sequence, std::span<const std::uint64_t> shape) {
  const ir::SequenceDef& def = sequence.def();
  const ir::Program* program = only_program(sequence);
  if (program == nullptr) {
    return bad_inputs("{} has {} steps; a v1 shape describes one program", quote(def.name),
                      def.steps.size());
  }
  V1Shape out{.fingerprint = sequence.fingerprint(),
              .workgroup_size = declared_workgroup(sequence).value_or(Extent{64, 1, 1}),
              .workgroup_count = static_extent(*program, program->grid)};
  std::size_t next = 0;
  for (const ir::Buffer& buffer : def.buffers) {
    if (!ir::is_bound(buffer.access)) continue;
    if (next == shape.size()) {
      return bad_inputs("{}: the shape has {} numbers, which is fewer than it has buffers",
                        quote(def.name), shape.size());
    }
    const std::uint64_t elements = shape[next++];
    if (ir::gives_output(buffer.access)) out.output_bytes += elements * ir::element_bytes(buffer);
  }
  return out;
}

Extent Tuner::resolve(const Key& key) const {
  const auto size = workgroup_of(cache_.read(cache_.find(key)).config);
  return size.value_or(default_workgroup_size(limits_));
}

Offer Tuner::record_decision(const V1Shape& shape, const Extent& size) {
  return record_key_decision(v1_key(shape), size);
}

Offer Tuner::record_key_decision(const Key& key, const Extent& size) {
  return cache_.offer(key, {.config = workgroup_config(size)});
}

std::optional<WorkgroupChoice> workgroup_choice(const ir::Sequence& sequence,
                                                const DeviceLimits& limits) {
  if (!has_free_workgroup(sequence)) return std::nullopt;
  const Extent standard = declared_workgroup(sequence).value_or(default_workgroup_size(limits));
  if (standard[1] != 1 || standard[2] != 1) return std::nullopt;
  std::vector<Value> sizes{std::int64_t{standard[0]}};
  for (const Extent& size : candidates_for(limits.workgroup_items)) {
    const bool fits = size[0] <= limits.workgroup_size[0];
    if (fits && size[0] != standard[0]) sizes.emplace_back(std::int64_t{size[0]});
  }
  std::ranges::sort(sizes);
  std::vector<space::Parameter> parameters;
  for (const std::string_view name : kWorkgroupNames) {
    parameters.push_back({std::string(name), {std::int64_t{1}}});
  }
  parameters[0].values = std::move(sizes);
  std::vector<space::Point> rows;
  for (std::uint32_t k = 0; k < parameters[0].values.size(); ++k) rows.push_back({k, 0, 0});
  auto space = space::Space::from_rows(std::move(parameters), std::move(rows));
  if (!space || space->size() < 2) return std::nullopt;
  const auto index = space->find(workgroup_config(standard));
  if (!index) return std::nullopt;
  return WorkgroupChoice{*std::move(space), *index};
}

}  // namespace vyre
