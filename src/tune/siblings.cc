#include "vyre/tune.h"

namespace vyre {

std::vector<Hint> hints_from(const DecisionCache& cache, const Problem& problem) {
  std::vector<Hint> out;
  for (const CacheEntry& entry : cache.entries()) {
    if (entry.decision.fingerprint != problem.sequence.fingerprint()) continue;
    Hint hint = hint_of(problem.space, entry.decision);
    if (!hint.times.empty()) out.push_back(std::move(hint));
  }
  return out;
}

}  // namespace vyre
