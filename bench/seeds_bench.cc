// Searches of recorded spaces that are seeded with recordings of the same kernel on other devices,
// against searches from cold.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "search/score.h"
#include "testing/bench.h"
#include "testing/shared_data.h"

namespace vyre::testing {
namespace {

constexpr std::uint64_t kRuns = 20;

struct Space {
  std::string name;
  std::string kernel;  // what comes before the device in the name
  Replay device;
  Yardstick yardstick;
};

std::vector<Space> load() {
  std::vector<Space> out;
  for (const auto& file : shared_files(VYRE_SOURCE_DIR, "search/spaces")) {
    auto recording = recording::read_recording(file);
    VYRE_CHECK(recording.has_value());
    auto yardstick = Yardstick::make(*recording, 50);
    auto device = Replay::make(*std::move(recording));
    VYRE_CHECK(yardstick.has_value() && device.has_value());
    std::string name = file.filename();
    name.resize(name.find('.'));
    std::string kernel = name.substr(0, name.rfind('_'));
    out.push_back({std::move(name), std::move(kernel), *std::move(device), *std::move(yardstick)});
  }
  return out;
}

std::vector<Hint> hints_for(const Space& space, const std::vector<Space>& all) {
  std::vector<Hint> out;
  for (const Space& other : all) {
    if (other.kernel != space.kernel || other.name == space.name) continue;
    out.push_back(hint_of(space.device.space(), other.device.recording()));
  }
  return out;
}

// Mean over runs of the fraction of the optimum's speed after so many evaluations.
double fraction_at(const Space& space, std::uint32_t evaluations, const std::vector<Hint>& hints) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto run =
        run_replay(space.device, "natural", {.seed = seed, .hints = hints}, evaluations);
    VYRE_CHECK(run.has_value());
    sum += space.yardstick.fraction(*run, evaluations);
  }
  return sum / kRuns;
}

struct Mean {
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return sum / count; }

  double sum = 0;
  double count = 0;
};

VYRE_BENCHMARK(seeded_search) {
  const std::vector<Space> spaces = load();
  Mean all;
  Mean cold;
  Mean worst;
  for (const Space& space : spaces) {
    const std::vector<Hint> hints = hints_for(space, spaces);
    if (hints.empty()) continue;
    const double at_10 = fraction_at(space, 10, hints);
    report.add({.name = "seeded by all siblings, of the optimum at 10, " + space.name,
                .value = at_10,
                .unit = "x",
                .baseline = fraction_at(space, 10, {})});
    all.add(at_10);
    double least = 1;
    for (const Hint& hint : hints) least = std::min(least, fraction_at(space, 50, {hint}));
    const double cold_at_50 = fraction_at(space, 50, {});
    report.add({.name = "seeded by the worst sibling, of the optimum at 50, " + space.name,
                .value = least,
                .unit = "x",
                .baseline = cold_at_50});
    cold.add(cold_at_50);
    worst.add(least);
  }
  if (all.count == 0) return;
  report.add({.name = "seeded by all siblings, of the optimum at 10, mean over spaces",
              .value = all.value(),
              .unit = "x",
              .goal = at_least(0.9)});
  report.add({.name = "seeded by the worst sibling over cold, at 50, mean over spaces",
              .value = worst.value(),
              .unit = "x",
              .baseline = cold.value(),
              .goal = at_least(0.98)});
}

}  // namespace
}  // namespace vyre::testing
