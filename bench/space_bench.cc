// Building spaces: by propagation, against filtering the product with the same expressions.

#include <fmt/format.h>

#include "base/check.h"
#include "testing/bench.h"
#include "testing/spaces.h"

namespace vyre::testing {
namespace {

constexpr double kMs = 1e6;
constexpr Timing kFew{.batch_ns = 1, .samples = 5};

double build_ms(const space::Definition& definition) {
  return median_ns([&] { VYRE_CHECK(space::Space::build(definition).has_value()); }, kFew) / kMs;
}

void against_filtering(Report& report, const char* name, double most_ms) {
  const auto definition = load_t1_definition(VYRE_SOURCE_DIR, name);
  if (!definition) return;  // the T1 files are not beside this checkout
  const double built = build_ms(*definition);
  const double filtered =
      median_ns([&] { keep(count_by_filtering(*definition)); }, {.batch_ns = 1, .samples = 3}) /
      kMs;
  report.add({.name = fmt::format("build space {}", name),
              .value = built,
              .unit = "ms",
              .goal = at_most(most_ms)});
  report.add({.name = fmt::format("build space {}: times faster than filtering", name),
              .value = filtered / built,
              .unit = "x",
              .goal = at_least(10)});
}

VYRE_BENCHMARK(space_construction) {
  against_filtering(report, "gemm_milo", 5);
  against_filtering(report, "dedispersion_milo", 1);
  report.add({.name = "build space of 10^9 combinations, 20 constraints",
              .value = build_ms(billion_combinations()),
              .unit = "ms",
              .goal = at_most(2000)});
  report.add({.name = "build space of 10^12 combinations",
              .value = build_ms(trillion_combinations()),
              .unit = "ms"});
}

}  // namespace
}  // namespace vyre::testing
