// Simulated time of a search that races its candidates, until its best is within 95 % of the
// optimum's speed, against what Kernel Tuner's protocol takes: compile, and run seven times.
//
// Its evaluations are those after which the best of its strategies has come that near, on average,
// on that space (the shared baseline); where that was before the first mark, those of random
// search, from which its strategies do not differ so early. Where none ever has, the last mark is a
// lower bound. One evaluation takes the mean over the space.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files/whole_file.h"
#include "testing/bench.h"
#include "testing/recorded_races.h"
#include "testing/shared_data.h"
#include "vyre/substrate/search.h"

namespace vyre::testing {
namespace {

constexpr double kNear = 0.95;
constexpr std::uint64_t kRuns = 10;
constexpr double kEnough = 0.99;  // then a run ends: what it might still gain does not count
constexpr std::uint32_t kEvaluations = 200;
constexpr std::uint32_t kBaselineRuns = 7;

struct Step {
  double seconds = 0;
  double fraction = 0;  // optimum / best so far
};
using Curve = std::vector<Step>;

struct Truth {
  std::vector<double> median_ms;  // per row; 0: failed
  double optimum_ms = 0;
};

Truth truth_of(const recording::Recording& recording) {
  Truth truth{.median_ms = {}, .optimum_ms = HUGE_VAL};
  for (const recording::Row& row : recording.rows) {
    const double ms = row.status == recording::Status::ok ? estimate(row.run_ms).ns : 0;
    truth.median_ms.push_back(ms);
    if (ms > 0) truth.optimum_ms = std::min(truth.optimum_ms, ms);
  }
  return truth;
}

// What sampling one configuration gave the search; the race holds the rest.
Result screen(Replay& device, Race& race, std::uint64_t index) {
  race.add({.id = index});
  for (auto round = race.screen(); !round.empty(); round = race.screen()) {
    for (const std::uint64_t id : round) {
      const Result result = *device.sample(id);
      if (result.status == Status::ok) {
        race.tell(id, result.time_ms * 1e6);
      } else {
        race.fail(id);
        if (id == index) return result;
      }
    }
  }
  return {Status::ok, race.find(index)->elapsed.ns / 1e6};
}

// Compiles all of them side by side, and says how much sooner that is done than the device's clock,
// which adds them up, has it.
double prepare(Replay& device, std::span<const std::uint64_t> asked) {
  double sum_ms = 0;
  double longest_ms = 0;
  for (const std::uint64_t index : asked) {
    (void)device.prepare(index);
    const double ms = device.recording().rows[index].compile_ms;
    sum_ms += ms;
    longest_ms = std::max(longest_ms, ms);
  }
  return (sum_ms - longest_ms) / 1000;
}

Result measure(Replay& device, Race& race, std::uint64_t index) {
  const Status recorded = device.recording().rows[index].status;
  if (recorded == Status::compile || recorded == Status::constraints) {
    return {recorded, 0};
  }
  (void)device.verify(index);
  return screen(device, race, index);
}

Curve search(Replay device, const Truth& truth, std::size_t at_once, std::uint64_t seed) {
  auto strategy = make_strategy("natural", device.space(), {.seed = seed});
  VYRE_CHECK(strategy.has_value());
  Race race;
  Curve curve;
  double saved_seconds = 0;
  const auto is_done = [&] { return !curve.empty() && curve.back().fraction >= kEnough; };
  for (std::size_t k = 0; k < kEvaluations && !is_done(); k += at_once) {
    const auto asked = (*strategy)->ask(at_once);
    saved_seconds += prepare(device, asked);
    for (const std::uint64_t index : asked) {
      (*strategy)->tell(index, measure(device, race, index));
      const auto outcome = race.outcome();
      if (!outcome) continue;
      curve.push_back({device.now_seconds() - saved_seconds,
                       truth.optimum_ms / truth.median_ms[outcome->winner]});
    }
  }
  return curve;
}

// The first time at which the geometric mean of the curves is near; before its first step a curve
// counts as nothing found.
double seconds_until_near(const std::vector<Curve>& curves) {
  std::vector<double> times;
  for (const Curve& curve : curves) {
    for (const Step& step : curve) times.push_back(step.seconds);
  }
  std::sort(times.begin(), times.end());
  for (const double now : times) {
    double sum = 0;
    for (const Curve& curve : curves) {
      const auto after =
          std::find_if(curve.begin(), curve.end(), [&](const Step& s) { return s.seconds > now; });
      sum += after == curve.begin() ? std::log(1e-3) : std::log(std::prev(after)->fraction);
    }
    if (std::exp(sum / static_cast<double>(curves.size())) >= kNear) return now;
  }
  return HUGE_VAL;
}

double random_evaluations(const Truth& truth, std::uint32_t most) {
  std::vector<double> fractions;
  for (const double ms : truth.median_ms) {
    if (ms > 0) fractions.push_back(truth.optimum_ms / ms);
  }
  std::sort(fractions.begin(), fractions.end(), std::greater<>());
  const auto n = static_cast<double>(fractions.size());
  for (std::uint32_t k = 1; k < most; ++k) {
    double mean_log = 0;
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      const auto rank = static_cast<double>(i);
      const double is_best = std::pow(1 - rank / n, k) - std::pow(1 - (rank + 1) / n, k);
      mean_log += is_best * std::log(fractions[i]);
    }
    if (std::exp(mean_log) >= kNear) return k;
  }
  return most;
}

// Of the best of the baseline's strategies on that space, between marks by straight lines.
double baseline_evaluations(const nlohmann::json& baseline, const std::string& space,
                            const Truth& truth) {
  constexpr std::uint32_t kMarks[] = {10, 25, 50, 100, 200, 400};
  double best = kMarks[5];
  for (const auto& strategy : baseline.at("per_space")) {
    if (!strategy.contains(space)) continue;
    const auto fraction = [&](std::uint32_t mark) {
      return strategy.at(space).at("frac@" + std::to_string(mark)).get<double>();
    };
    if (fraction(kMarks[0]) >= kNear) return random_evaluations(truth, kMarks[0]);
    for (std::size_t m = 1; m < std::size(kMarks); ++m) {
      const double low = fraction(kMarks[m - 1]);
      const double high = fraction(kMarks[m]);
      if (high < kNear) continue;
      const double way = (kNear - low) / (high - low);
      best = std::min(best, kMarks[m - 1] + way * (kMarks[m] - kMarks[m - 1]));
      break;
    }
  }
  return best;
}

double baseline_seconds_each(const recording::Recording& recording) {
  double total_ms = 0;
  for (const recording::Row& row : recording.rows) {
    total_ms += row.compile_ms + row.framework_ms + row.validation_ms;
    for (std::size_t k = 0; k < std::min<std::size_t>(kBaselineRuns, row.run_ms.size()); ++k) {
      total_ms += row.run_ms[k];
    }
  }
  return total_ms / 1000 / static_cast<double>(recording.rows.size());
}

struct RecordedSpace {
  std::string name;
  Truth truth;
  Replay device;
  double baseline_evaluations = 0;
  double baseline_seconds = 0;
};

std::vector<RecordedSpace> load(const nlohmann::json& baseline) {
  std::vector<RecordedSpace> spaces;
  for (const auto& file : shared_files(VYRE_SOURCE_DIR, "search/t4")) {
    auto recording = recording::read_recording(file);
    VYRE_CHECK(recording.has_value());
    std::string name = file.filename();
    name.resize(name.find("_T4"));
    Truth truth = truth_of(*recording);
    const double evaluations = baseline_evaluations(baseline, name, truth);
    const double seconds = evaluations * baseline_seconds_each(*recording);
    auto device = Replay::make(*std::move(recording));
    VYRE_CHECK(device.has_value());
    spaces.push_back({name, std::move(truth), *std::move(device), evaluations, seconds});
  }
  return spaces;
}

void compare(Report& report, const std::vector<RecordedSpace>& spaces, const std::string& how,
             std::size_t at_once, std::optional<Goal> goal) {
  double log_sum = 0;
  for (const RecordedSpace& space : spaces) {
    std::vector<Curve> curves;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
      curves.push_back(search(space.device, space.truth, at_once, seed));
    }
    const double ours = seconds_until_near(curves);
    log_sum += std::log(space.baseline_seconds / ours);
    report.add({.name = fmt::format("to 95 %, Kernel Tuner over {}, {}", how, space.name),
                .value = space.baseline_seconds,
                .unit = "s",
                .baseline = ours,
                .note = fmt::format("its evaluations: {:.0f}", space.baseline_evaluations)});
  }
  report.add({.name = fmt::format("to 95 %, Kernel Tuner over {}, geometric mean", how),
              .value = std::exp(log_sum / static_cast<double>(spaces.size())),
              .unit = "times less",
              .goal = goal});
}

VYRE_BENCHMARK(tuning_time) {
  const auto shared = shared_dir(VYRE_SOURCE_DIR);
  if (!shared) return;
  const auto text = read_file(*shared / "search" / "baseline.json", 1U << 20U);
  VYRE_CHECK(text.has_value());
  const std::vector<RecordedSpace> spaces = load(nlohmann::json::parse(*text));
  if (spaces.empty()) return;
  compare(report, spaces, "ours", 1, at_least(5));
  compare(report, spaces, "ours, compiling 4 at once", 4, std::nullopt);
}

}  // namespace
}  // namespace vyre::testing
