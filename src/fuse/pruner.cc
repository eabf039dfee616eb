#include "fuse/pruner.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "backend/plan.h"
#include "base/error.h"
#include "base/text.h"
#include "fuse/link_values.h"
#include "fuse/work.h"
#include "ir/ops.h"
#include "vyre/substrate/chain_fusion.h"

namespace vyre::fuse {
namespace {

constexpr double kElementBytes = 4;

// The work of one step, by buffer of the sequence.
struct StepWork {
  std::vector<double> loads;
  std::vector<double> stores;
  double invocations = 1;
};

StepWork work_of_step(const ir::SequenceDef& def, const backend::Plan& plan,
                      const backend::StepPlan& planned) {
  const ir::Program& program = def.programs[planned.program];
  const ir::Step& step = def.steps[planned.step];
  std::vector<std::uint64_t> lengths;
  for (const std::uint32_t buffer : step.buffers) lengths.push_back(plan.lengths[buffer]);
  const Extent& workgroup = planned.specialisation.workgroup;
  const Work work = work_of(program, planned.symbols, workgroup, planned.groups, lengths);
  StepWork out{std::vector<double>(def.buffers.size()), std::vector<double>(def.buffers.size()), 1};
  std::size_t bound = 0;
  for (std::size_t k = 0; k < program.buffers.size(); ++k) {
    if (!ir::is_bound(program.buffers[k].access)) continue;
    const std::uint32_t buffer = step.buffers[bound++];
    out.loads[buffer] += work.loads[k];
    out.stores[buffer] += work.stores[k];
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out.invocations *= static_cast<double>(workgroup[axis]) * planned.groups[axis];
  }
  return out;
}

std::uint64_t as_rank(double elements) {
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(elements)));
}

// Of the link between two steps of the unfused chain. A buffer that the fused kernel stores and
// loads again is kept: the rank is the part of it that one invocation has. Of any other buffer an
// invocation needs as many elements at a time as an element of the consumer's output takes.
std::uint64_t rank_of_link(const StepWork& producer, const StepWork& consumer,
                           const StepWork& fused) {
  std::uint64_t rank = 1;
  const double stored = *std::ranges::max_element(consumer.stores);
  for (std::size_t k = 0; k < producer.stores.size(); ++k) {
    if (producer.stores[k] == 0 || consumer.loads[k] == 0) continue;
    const bool is_kept = fused.stores[k] > 0 && fused.loads[k] > 0;
    rank = std::max(rank, is_kept ? as_rank(fused.stores[k] / fused.invocations)
                                  : as_rank(consumer.loads[k] / std::max(stored, 1.0)));
  }
  return rank;
}

Expected<backend::Plan> plan_with(const ir::Sequence& sequence, Call call, const Config* config,
                                  const DeviceLimits& limits) {
  call.config = config;
  return backend::make_plan(sequence, call, limits);
}

}  // namespace

Expected<std::vector<std::uint64_t>> on_chip_ranks(const Widened& widened, std::size_t interval,
                                                   const Call& call, const DeviceLimits& limits) {
  const Interval& of = widened.intervals[interval];
  const ir::SequenceDef& def = widened.sequence.def();
  VYRE_TRY(const backend::Plan apart, plan_with(widened.sequence, call, nullptr, limits));
  const Config config = single_plan(widened, interval);
  VYRE_TRY(const backend::Plan joined, plan_with(widened.sequence, call, &config, limits));
  const auto fused = std::ranges::find(joined.steps, of.step, &backend::StepPlan::step);
  if (fused == joined.steps.end()) {
    return bad_inputs("{}: the kernel of steps {} to {} is not part of its plan", quote(def.name),
                      of.first + 1, of.last + 1);
  }
  const StepWork whole = work_of_step(def, joined, *fused);
  std::vector<std::uint64_t> ranks;
  // With nothing fused, the steps that are on are those of the original sequence.
  for (std::uint32_t k = of.first; k < of.last; ++k) {
    ranks.push_back(rank_of_link(work_of_step(def, apart, apart.steps[k]),
                                 work_of_step(def, apart, apart.steps[k + 1]), whole));
  }
  return ranks;
}

Expected<std::vector<Pruned>> prune(Widened& widened, const Call& call,
                                    const DeviceLimits& limits) {
  std::vector<Pruned> out;
  const double threshold = static_cast<double>(limits.local_bytes) / kElementBytes;
  for (std::size_t k = 0; k < widened.intervals.size(); ++k) {
    auto ranks = on_chip_ranks(widened, k, call, limits);
    // What cannot be planned cannot be launched either: the campaign finds that by itself.
    if (!ranks || substrate::should_fuse_chain(*ranks, threshold)) continue;
    const Interval& interval = widened.intervals[k];
    const auto values = values_of(widened.links, interval.first, interval.last, interval.kinds);
    widened.space.constraints.push_back(fmt::format("not ({})", in_python(widened.links, values)));
    std::string why = fmt::format(
        "steps {} to {} are not tried as one kernel: they hand on {} elements, more than the "
        "{:.0f} of the local memory",
        interval.first + 1, interval.last + 1, fmt::join(*ranks, ", "), threshold);
    out.push_back({k, std::move(*ranks), threshold, std::move(why)});
  }
  return out;
}

}  // namespace vyre::fuse
