// The natural search's own time per evaluation, in a space of 18 000 configurations.

#include <chrono>
#include <cmath>

#include "base/check.h"
#include "testing/bench.h"
#include "vyre/substrate/search.h"

namespace vyre::testing {
namespace {

constexpr std::uint32_t kEvaluations = 150;

// Eight parameters: 18 432 configurations, none of which fails.
space::Space space_of_18000() {
  space::Definition definition;
  for (const std::size_t values : {8U, 6U, 4U, 4U, 4U, 3U, 2U, 1U}) {
    space::Parameter p{"p" + std::to_string(definition.parameters.size()), {}};
    for (std::size_t v = 0; v < values; ++v) p.values.emplace_back(std::int64_t{1} << v);
    definition.parameters.push_back(std::move(p));
  }
  auto space = space::Space::build(definition);
  VYRE_CHECK(space.has_value());
  return *space;
}

double landscape_ms(const space::Point& point) {
  double log_time = 0;
  for (std::size_t p = 0; p < point.size(); ++p) {
    log_time += 0.1 * std::pow(point[p] - 1.7, 2) + (p > 0 ? 0.05 * point[p] * point[p - 1] : 0);
  }
  return std::exp(log_time);
}

VYRE_BENCHMARK(natural_own_time) {
  using Clock = std::chrono::steady_clock;
  const space::Space space = space_of_18000();
  Clock::duration own{};
  constexpr std::uint64_t kRuns = 4;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto begin = Clock::now();
    auto search = make_strategy("natural", space, {.seed = seed});
    VYRE_CHECK(search.has_value());
    for (std::uint32_t k = 0; k < kEvaluations; ++k) {
      const auto asked = (*search)->ask(1);
      (*search)->tell(asked[0], {Status::ok, landscape_ms(space.at(asked[0]))});
    }
    own += Clock::now() - begin;
  }
  report.add(
      {.name = "natural: own time per evaluation, 18 432 configurations, mean over 150",
       .value = std::chrono::duration<double, std::milli>(own).count() / kEvaluations / kRuns,
       .unit = "ms",
       .goal = at_most(1),
       .note = "wall-clock time; model rebuilds over 512 candidates take most"});
}

}  // namespace
}  // namespace vyre::testing
