#include "backend/bound_call.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/small_array.h"
#include "bounds/coverage.h"
#include "ir/ops.h"

namespace vyre::backend {

struct BoundCall::Run {
  std::span<const Memory> memory;
  std::span<const std::optional<std::uint64_t>> symbols;
  Timer* timer;
};

Expected<std::shared_ptr<const BoundCall>> BoundCall::make(std::shared_ptr<Device> device,
                                                           const ir::Sequence& sequence, Plan plan,
                                                           const KernelSource& kernels) {
  std::shared_ptr<BoundCall> out(new BoundCall(std::move(device), sequence, std::move(plan)));
  for (std::size_t k = 0; k < out->plan_.steps.size(); ++k) {
    VYRE_TRY(auto kernel, kernels(out->plan_.steps[k]));
    out->steps_.push_back({.kernel = std::move(kernel), .cleared = {}, .passed = {}});
    out->find_cleared(k);
    out->find_passed(k);
  }
  out->find_starting_zeros();
  return out;
}

std::size_t BoundCall::bytes_of(std::size_t buffer) const {
  return plan_.lengths[buffer] * ir::element_bytes(sequence_.def().buffers[buffer]);
}

// `write` buffers of the step's program, but for those that the launch covers wholly.
void BoundCall::find_cleared(std::size_t step) {
  const ir::Program& program = sequence_.def().programs[declared(step).program];
  const StepPlan& plan = plan_.steps[step];
  const std::vector<std::optional<std::uint64_t>> symbols(plan.symbols.begin(), plan.symbols.end());
  const bounds::KnownLaunch launch{symbols, plan.groups, plan.specialisation.workgroup};
  std::size_t bound = 0;
  for (std::uint32_t k = 0; k < program.buffers.size(); ++k) {
    if (!ir::is_bound(program.buffers[k].access)) continue;
    const std::uint32_t buffer = declared(step).buffers[bound++];
    if (program.buffers[k].access != ir::Access::write) continue;
    if (bounds::covers(program, k, plan_.lengths[buffer], launch)) continue;
    steps_[step].cleared.push_back({buffer, program.source.has_value()});
  }
}

// Symbols that decide no size are passed as each run gives them; the plan has the values of the
// call that it was made for.
void BoundCall::find_passed(std::size_t step) {
  const ir::SequenceDef& def = sequence_.def();
  const ir::Program& program = def.programs[declared(step).program];
  std::size_t next = 0;
  for (std::uint32_t k = 0; k < program.symbols.size(); ++k) {
    if (program.symbols[k].kind == ir::SymbolKind::tunable) continue;
    const ir::ExprId given = declared(step).symbols[next++];
    if (given == ir::kNone || def.exprs[given].op != ir::Op::symbol) continue;
    const std::uint32_t from = def.exprs[given].index;
    if (!sequence_.decides_sizes(from)) steps_[step].passed.push_back({k, from});
  }
}

void BoundCall::find_starting_zeros() {
  const ir::SequenceDef& def = sequence_.def();
  std::vector<bool> used(def.buffers.size(), false);
  for (std::size_t k = 0; k < def.buffers.size(); ++k) {
    starts_as_zeros_.push_back(!ir::takes_input(def.buffers[k].access) && has_memory(k));
  }
  for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
    const ir::Step& step = declared(k);
    const ir::Program& program = def.programs[step.program];
    std::size_t bound = 0;
    for (const ir::Buffer& b : program.buffers) {
      if (!ir::is_bound(b.access)) continue;
      const std::uint32_t buffer = step.buffers[bound++];
      if (!used[buffer] && b.access == ir::Access::write) starts_as_zeros_[buffer] = false;
      used[buffer] = true;
    }
  }
}

Expected<void> BoundCall::run(std::span<const Memory> memory,
                              std::span<const std::optional<std::uint64_t>> symbols, Timer* timer,
                              const std::function<void()>& on_launched) const {
  const Run run{memory, symbols, timer};
  const ir::SequenceDef& def = sequence_.def();
  const std::size_t steps = plan_.steps.size();
  if (!def.repeat) {
    VYRE_TRY_VOID(run_steps(run, 0, steps));
    if (on_launched) on_launched();
    return {};
  }
  const ir::Repeat& repeat = *def.repeat;
  const std::size_t first = first_from(repeat.first);
  const std::size_t last = first_from(repeat.last);
  VYRE_TRY_VOID(run_steps(run, 0, first));
  // Without a step that is on, further rounds cannot change anything.
  const std::uint32_t rounds = first == last ? 1 : repeat.limit;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    VYRE_TRY_VOID(run_steps(run, first, last));
    if (round == 0 && on_launched) on_launched();
    std::array<std::byte, 4> flag{};
    VYRE_TRY_VOID(memory[repeat.until].buffer->read(0, flag));
    if (flag != std::array<std::byte, 4>{}) break;
  }
  return run_steps(run, last, steps);
}

// The first step of the plan that is this step of the sequence or a later one.
std::size_t BoundCall::first_from(std::uint32_t step) const {
  const auto it = std::ranges::lower_bound(plan_.steps, step, {}, &StepPlan::step);
  return static_cast<std::size_t>(it - plan_.steps.begin());
}

Expected<void> BoundCall::run_steps(const Run& run, std::size_t first, std::size_t last) const {
  for (std::size_t k = first; k < last; ++k) VYRE_TRY_VOID(run_step(run, k));
  return {};
}

Expected<void> BoundCall::run_step(const Run& run, std::size_t index) const {
  const Step& step = steps_[index];
  const StepPlan& plan = plan_.steps[index];
  for (const Cleared& cleared : step.cleared) {
    const Memory& memory = run.memory[cleared.buffer];
    if (cleared.by_source && memory.is_callers) continue;
    Timer* const timer = cleared.by_source ? nullptr : run.timer;
    VYRE_TRY_VOID(memory.buffer->fill_zero(bytes_of(cleared.buffer), timer));
  }
  const auto& bound = declared(index).buffers;
  SmallArray<Buffer*, 12> buffers(bound.size());
  for (std::size_t k = 0; k < bound.size(); ++k) buffers[k] = run.memory[bound[k]].buffer;
  SmallArray<std::uint64_t, 12> symbols(plan.symbols.size());
  std::copy(plan.symbols.begin(), plan.symbols.end(), symbols.begin());
  for (const Passed& passed : step.passed) {
    if (run.symbols[passed.from]) symbols[passed.to] = *run.symbols[passed.from];
  }
  return step.kernel->launch({.buffers = buffers.view(),
                              .symbols = symbols.view(),
                              .groups = plan.groups,
                              .timer = run.timer});
}

}  // namespace vyre::backend
