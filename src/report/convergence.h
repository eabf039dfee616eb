// How fast strategies find the optimum of recorded spaces, as curves: best so far against
// evaluations.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/plot.h"
#include "search/score.h"

namespace vyre::report {

struct StrategyRuns {
  std::string strategy;
  std::vector<Run> runs;
};

struct SpaceRuns {
  std::string space;
  const Yardstick* yardstick = nullptr;
  std::vector<StrategyRuns> strategies = {};
};

// A panel per space, up to `budget` evaluations. Each strategy is the median of its runs with the
// band from their 10th to their 90th percentile; random search is the same, but exact, so runs of
// the strategy "random" are not drawn.
Figure convergence(std::span<const SpaceRuns> spaces, std::size_t budget);

}  // namespace vyre::report
