#include "report/convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vyre::report {
namespace {

constexpr double kLow = 0.1;
constexpr double kMiddle = 0.5;
constexpr double kHigh = 0.9;

// Linear interpolation between the two neighbouring values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

void add_point(Series& series, std::size_t evaluations, double low, double middle, double high) {
  const auto x = static_cast<double>(evaluations);
  series.points.push_back({x, middle});
  series.band.push_back({x, low, high});
}

// A share of runs that are as fast or faster is one less a share that are as slow or slower.
Series random_series(const Yardstick& yardstick, std::size_t evaluations) {
  Series out{.label = "random search, exact", .ink = Ink::grey, .draw = Draw::dashed_steps};
  for (std::size_t t = 1; t <= evaluations; ++t) {
    const auto at = [&](double share) {
      return yardstick.optimum() / yardstick.random_best(t, share);
    };
    add_point(out, t, at(1 - kLow), at(kMiddle), at(1 - kHigh));
  }
  return out;
}

Series series_of(const StrategyRuns& strategy, const Yardstick& yardstick, std::size_t evaluations,
                 Ink ink) {
  Series out{.label = strategy.strategy, .ink = ink};
  std::vector<std::vector<double>> fractions;
  for (const Run& run : strategy.runs) {
    fractions.push_back(yardstick.fractions(run, evaluations));
  }
  for (std::size_t t = 0; t < evaluations && !fractions.empty(); ++t) {
    std::vector<double> now;
    for (const auto& run : fractions) now.push_back(run[t]);
    std::ranges::sort(now);
    add_point(out, t + 1, quantile(now, kLow), quantile(now, kMiddle), quantile(now, kHigh));
  }
  return out;
}

// Down to where the slowest band begins, in tenths.
double lowest(const std::vector<Series>& all) {
  double low = kHigh;
  for (const Series& series : all) {
    for (const Span& span : series.band) low = std::min(low, span.low);
  }
  return std::floor(low * 10 + 1e-9) / 10;
}

Panel panel_of(const SpaceRuns& space, std::size_t budget) {
  const Yardstick& yardstick = *space.yardstick;
  const std::size_t evaluations = std::min(budget, yardstick.configurations());
  Panel out{.title = fmt::format("{} ({} configurations)", space.space, yardstick.configurations()),
            .x = {"evaluations", 1, std::max(2.0, static_cast<double>(evaluations)),
                  Scale::logarithmic, true}};
  out.series.push_back(random_series(yardstick, evaluations));
  std::size_t ink = 1;
  for (const StrategyRuns& strategy : space.strategies) {
    if (strategy.strategy == "random") continue;
    out.series.push_back(series_of(strategy, yardstick, evaluations, static_cast<Ink>(ink)));
    ink = ink + 1 < kInks ? ink + 1 : 1;
  }
  out.y = {"best so far, fraction of optimum", lowest(out.series), 1};
  return out;
}

}  // namespace

Figure convergence(std::span<const SpaceRuns> spaces, std::size_t budget) {
  constexpr std::size_t kMostColumns = 3;
  std::size_t most_runs = 0;
  Figure out{.title = "Best configuration found so far"};
  for (const SpaceRuns& space : spaces) {
    out.panels.push_back(panel_of(space, budget));
    for (const StrategyRuns& s : space.strategies) most_runs = std::max(most_runs, s.runs.size());
  }
  out.columns = std::clamp<std::size_t>(spaces.size(), 1, kMostColumns);
  if (out.columns == 1) out.panel_width = 560;
  out.caption = fmt::format(
      "Line: the median of {} run(s). Band: from the 10th to the 90th percentile of the runs.\n"
      "1 is the speed of the fastest recorded configuration.",
      most_runs);
  return out;
}

}  // namespace vyre::report
