#include "vyre/campaign.h"

namespace vyre::tuner {

std::vector<Hint> hints_from(const DecisionCache& cache, const Problem& problem) {
  std::vector<Hint> out;
  for (const CacheEntry& entry : cache.entries()) {
    const Decision& decision = entry.decision;
    if (decision.fingerprint != problem.sequence.fingerprint()) continue;
    Hint hint;
    const auto add = [&](const Config& config, const Estimate& elapsed) {
      const auto index = problem.space.find(config);
      if (index && elapsed.ns > 0) hint.times.push_back({*index, elapsed.ns});
    };
    add(decision.config, decision.elapsed);
    if (decision.runner_up) add(decision.runner_up->config, decision.runner_up->elapsed);
    if (!hint.times.empty()) out.push_back(std::move(hint));
  }
  return out;
}

}  // namespace vyre::tuner
