#include <algorithm>

#include "base/error.h"
#include "workgroup/sweep.h"

namespace vyre {

Expected<Measured> measure_all(BackendTimer& timer, const ir::Sequence& program,
                               std::span<const Extent> candidates, OnFailure on_failure) {
  Measured out;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    auto elapsed_ns = timer.measure_candidate_ns(program, candidates[k]);
    if (elapsed_ns) {
      out.index.push_back(k);
      out.elapsed_ns.push_back(*elapsed_ns);
    } else if (on_failure == OnFailure::stop) {
      return std::unexpected(std::move(elapsed_ns).error());
    } else {
      out.failed.push_back({.index = k, .error = std::move(elapsed_ns).error()});
    }
  }
  if (out.index.empty() && !out.failed.empty()) return std::unexpected(out.failed.front().error);
  return out;
}

Expected<Sweep> best_of(BackendTimer& timer, const ir::Sequence& program,
                        std::span<const Extent> candidates, OnFailure on_failure) {
  VYRE_TRY(Measured measured, measure_all(timer, program, candidates, on_failure));
  Sweep out{.failed = std::move(measured.failed)};
  if (measured.index.empty()) return out;
  const auto least = std::ranges::min_element(measured.elapsed_ns);
  const auto at = static_cast<std::size_t>(least - measured.elapsed_ns.begin());
  out.best = {.workgroup_size = candidates[measured.index[at]], .elapsed_ns = *least};
  return out;
}

}  // namespace vyre
