// The closed loop against plain gradients: evaluations until a synthetic latency surface with an
// elongated valley is within 1 % of its minimum. docs/substrate.md has the table.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics.h"
#include "testing/bench.h"
#include "testing/valley.h"

namespace vyre::testing {
namespace {

constexpr std::uint64_t kValleys = 15;
constexpr std::uint64_t kMost = 3'000'000;

// The median over valleys; one that was not reached counts as more than any other.
double median_of(const std::function<std::uint64_t(std::uint64_t seed)>& walk) {
  std::vector<double> evaluations;
  for (std::uint64_t seed = 0; seed < kValleys; ++seed) {
    const std::uint64_t found = walk(seed);
    evaluations.push_back(found == 0 ? INFINITY : static_cast<double>(found));
  }
  return median(evaluations);
}

// Every step size is tried on every valley; the one with the best median counts, as if somebody had
// told it beforehand.
double best_plain(double condition) {
  double best = INFINITY;
  for (double factor = 0.5; factor < 2.05; factor += 0.25) {
    const double step = factor / condition;
    best = std::min(best, median_of([&](std::uint64_t seed) {
                      return walk_plain(Valley(condition, seed), step, kMost);
                    }));
  }
  return best;
}

VYRE_BENCHMARK(natural_gradient_on_valleys) {
  auto dispatcher = make_dispatcher(open_reference({.threads = 1}));
  for (const double condition : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
    const double plain = best_plain(condition);
    const auto add = [&](const char* method, double evaluations) {
      report.add({.name = fmt::format("valley of condition {}: {}, against plain gradient with its "
                                      "best fixed step",
                                      condition, method),
                  .value = evaluations,
                  .unit = "evaluations",
                  .baseline = plain});
    };
    add("plain gradient with line search", median_of([&](std::uint64_t seed) {
          return walk_searching(Valley(condition, seed), kMost);
        }));
    for (const Metric metric : {Metric::natural, Metric::whitened}) {
      add(metric == Metric::natural ? "natural gradient" : "whitened gradient",
          median_of([&](std::uint64_t seed) {
            return walk_preconditioned(Valley(condition, seed), metric, *dispatcher, seed, kMost);
          }));
    }
  }
}

}  // namespace
}  // namespace vyre::testing
