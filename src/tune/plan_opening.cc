#include "tune/plan_opening.h"

#include <algorithm>

namespace vyre {
namespace {

// Intervals are measured in order of their length, and no more of them than this.
constexpr std::size_t kMostSingles = 64;
constexpr std::size_t kMostPlans = 3;

std::vector<std::uint64_t> indices_of(const Problem& problem, const std::vector<Config>& configs) {
  std::vector<std::uint64_t> out;
  for (const Config& config : configs) {
    if (const auto index = problem.space.find(config)) out.push_back(*index);
  }
  return out;
}

std::vector<std::uint64_t> whole_plans(const Problem& problem,
                                       const std::map<std::uint64_t, Result>& results) {
  double unfused = 0;
  std::vector<fuse::PlanTime> singles;
  for (const auto& [index, result] : results) {
    if (result.status != Status::ok) continue;
    if (index == problem.default_index) unfused = result.time_ms;
    singles.push_back({problem.space.config_at(index), result.time_ms});
  }
  return indices_of(problem, fuse::best_plans(*problem.plans, unfused, singles, kMostPlans));
}

}  // namespace

Opening plan_opening(const Problem& problem) {
  if (problem.plans == nullptr) return {};
  const auto has_tunable = [](const fuse::Link& link) { return !link.tunable.empty(); };
  const auto links = std::ranges::count_if(problem.plans->links, has_tunable);
  if (static_cast<std::size_t>(links) <= fuse::kFewLinks) return {};
  Opening out{.first = indices_of(problem, fuse::single_plans(*problem.plans))};
  if (out.first.size() > kMostSingles) out.first.resize(kMostSingles);
  out.follow_up = [problem](const auto& results) { return whole_plans(problem, results); };
  return out;
}

}  // namespace vyre
