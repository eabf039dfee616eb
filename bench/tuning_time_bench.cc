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
#include "tune/campaign.h"
#include "vyre/substrate/search.h"

namespace vyre::testing {
namespace {

constexpr double kNear = 0.95;
constexpr std::uint64_t kRuns = 10;
constexpr double kEnough = 0.99;  // then a run ends: what it might still gain does not count
constexpr std::uint32_t kEvaluations = 200;
constexpr std::uint32_t kBaselineRuns = 7;

struct Found {
  double seconds = 0;
  double fraction = 0;  // optimum / best so far
};
using Curve = std::vector<Found>;

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

// The first that the strategy asks for and that runs, as nobody has said which one is the default.
std::uint64_t first_that_runs(const Replay& device, std::uint64_t seed) {
  auto strategy = make_strategy("natural", device.space(), {.seed = seed});
  VYRE_CHECK(strategy.has_value());
  for (;;) {
    const auto asked = (*strategy)->ask(1);
    VYRE_CHECK(!asked.empty());
    if (device.recording().rows[asked[0]].status == Status::ok) return asked[0];
    (*strategy)->tell(asked[0], {.status = Status::runtime});
  }
}

// A whole campaign on the simulated clock, until it is near enough.
Curve search(Replay device, const Truth& truth, std::uint64_t seed) {
  Curve curve;
  const SearchTask task{.name = "recorded",
                        .identity = "recorded",
                        .space = device.space(),
                        .default_index = first_that_runs(device, seed)};
  const auto report =
      run_campaign(task, device,
                   {.seed = seed,
                    .budget = {.seconds = 0, .evaluations = kEvaluations},
                    .on_progress = [&](const Progress& p) {
                      curve.push_back({p.seconds, truth.optimum_ms / truth.median_ms[p.best]});
                      return curve.back().fraction < kEnough;
                    }});
  VYRE_CHECK(report.has_value());
  return curve;
}

// The first time at which the geometric mean of the curves is near; before its first step a curve
// counts as nothing found.
double seconds_until_near(const std::vector<Curve>& curves) {
  std::vector<double> times;
  for (const Curve& curve : curves) {
    for (const Found& step : curve) times.push_back(step.seconds);
  }
  std::sort(times.begin(), times.end());
  for (const double now : times) {
    double sum = 0;
    for (const Curve& curve : curves) {
      const auto after =
          std::find_if(curve.begin(), curve.end(), [&](const Found& s) { return s.seconds > now; });
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
  recording::Recording recording;
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
    spaces.push_back({name, std::move(truth), *std::move(recording), evaluations, seconds});
  }
  return spaces;
}

void compare(Report& report, const std::vector<RecordedSpace>& spaces, const std::string& how,
             std::size_t workers, std::optional<Goal> goal) {
  double log_sum = 0;
  for (const RecordedSpace& space : spaces) {
    std::vector<Curve> curves;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
      auto device = Replay::make(space.recording, workers);
      VYRE_CHECK(device.has_value());
      curves.push_back(search(*std::move(device), space.truth, seed));
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
  compare(report, spaces, "ours, one worker", 1, at_least(10));
  compare(report, spaces, "ours, four workers", 4, at_least(10));
}

}  // namespace
}  // namespace vyre::testing
