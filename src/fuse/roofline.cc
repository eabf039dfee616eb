#include "fuse/roofline.h"

#include <algorithm>

#include "bounds/coverage.h"
#include "fuse/work.h"
#include "ir/ops.h"

namespace vyre::fuse {
namespace {

struct PlannedStep {
  const ir::Program& program;
  const backend::StepPlan& plan;
  std::vector<std::uint64_t> lengths;  // of the bound buffers
};

double cleared_bytes(const PlannedStep& step) {
  const std::vector<std::optional<std::uint64_t>> symbols(step.plan.symbols.begin(),
                                                          step.plan.symbols.end());
  const bounds::KnownLaunch launch{symbols, step.plan.groups, step.plan.specialisation.workgroup};
  double bytes = 0;
  std::size_t bound = 0;
  for (std::uint32_t k = 0; k < step.program.buffers.size(); ++k) {
    const ir::Buffer& b = step.program.buffers[k];
    if (!ir::is_bound(b.access)) continue;
    const std::uint64_t length = step.lengths[bound++];
    if (b.access != ir::Access::write || step.program.source) continue;
    if (bounds::covers(step.program, k, length, launch)) continue;
    bytes += static_cast<double>(length) * ir::element_bytes(b);
  }
  return bytes;
}

double step_ns(const PlannedStep& step, const Rates& rates) {
  const Work work = work_of(step.program, step.plan.symbols, step.plan.specialisation.workgroup,
                            step.plan.groups, step.lengths);
  return std::max(work.bytes() / rates.bytes_per_ns, work.operations / rates.operations_per_ns) +
         cleared_bytes(step) / rates.bytes_per_ns + rates.launch_ns;
}

}  // namespace

double predicted_ns(const ir::Sequence& sequence, const backend::Plan& plan, const Rates& rates) {
  const ir::SequenceDef& def = sequence.def();
  double sum = 0;
  for (const backend::StepPlan& planned : plan.steps) {
    PlannedStep step{def.programs[planned.program], planned, {}};
    for (const std::uint32_t buffer : def.steps[planned.step].buffers) {
      step.lengths.push_back(plan.lengths[buffer]);
    }
    sum += step_ns(step, rates);
  }
  return sum;
}

}  // namespace vyre::fuse
