#include "vyre/substrate/best_of.h"

#include <algorithm>

#include "base/error.h"
#include "workgroup/sweep.h"

namespace vyre {

Expected<Sweep> best_of(BackendTimer& timer, const ir::Sequence& program,
                        std::span<const Extent> candidates, OnFailure on_failure) {
  VYRE_TRY(MeasuredCandidates measured, measure_all(timer, program, candidates, on_failure));
  Sweep out{.failed = std::move(measured.failed)};
  if (measured.index.empty()) return out;
  const auto least = std::ranges::min_element(measured.elapsed_ns);
  const auto at = static_cast<std::size_t>(least - measured.elapsed_ns.begin());
  out.best = {.workgroup_size = candidates[measured.index[at]], .elapsed_ns = *least};
  return out;
}

}  // namespace vyre
