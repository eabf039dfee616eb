#include "workgroup/sweep.h"

namespace vyre {

Expected<MeasuredCandidates> measure_all(BackendTimer& timer, const ir::Sequence& program,
                                         std::span<const Extent> candidates, OnFailure on_failure) {
  MeasuredCandidates out;
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

}  // namespace vyre
