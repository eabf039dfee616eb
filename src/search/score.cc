#include "search/score.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/statistics.h"

namespace vyre {
namespace {

constexpr std::uint32_t kMostEvaluations = kMarks.back();

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double standard_error(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (const double v : values) squares += (v - centre) * (v - centre);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n - 1) / n);
}

// x is sorted; the k-th term weighs a step of x by the chance that no better one was drawn.
double expected_best_of(const std::vector<double>& x, std::uint32_t draws) {
  double none_better = 1;
  double best = x[0];
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double left = n - static_cast<double>(i) + 1;
    none_better *= (left - draws) / left;
    if (none_better < 1e-18) break;
    best += (x[i] - x[i - 1]) * none_better;
  }
  return best;
}

}  // namespace

Expected<Run> run_replay(Replay device, std::string_view strategy, const StrategyOptions& options,
                         std::uint32_t budget) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  VYRE_TRY(auto search, make_strategy(strategy, device.space(), options));
  Clock::duration own = Clock::now() - begin;
  Run run{.seed = options.seed, .values = {}};
  while (run.values.size() < budget) {
    const auto asked_at = Clock::now();
    const std::vector<std::uint64_t> asked = search->ask(1);
    own += Clock::now() - asked_at;
    if (asked.empty()) break;
    VYRE_TRY(const Result result, device.evaluate(asked[0]));
    const auto told_at = Clock::now();
    search->tell(asked[0], result);
    own += Clock::now() - told_at;
    run.values.push_back(result.status == Status::ok ? std::optional(result.time_ms)
                                                     : std::nullopt);
  }
  run.own_seconds = std::chrono::duration<double>(own).count();
  run.simulated_seconds = device.now_seconds();
  return run;
}

Expected<Yardstick> Yardstick::make(const recording::Recording& recording,
                                    std::optional<std::uint32_t> horizon) {
  std::vector<double> x;
  for (const recording::Row& row : recording.rows) {
    if (row.time_ms) x.push_back(*row.time_ms);
  }
  if (x.empty()) return bad_inputs("the recording has no valid configuration: nothing to find");
  std::ranges::sort(x);
  Yardstick out;
  out.optimum_ = x.front();
  out.worst_ = x.back();
  const double middle = median_of_sorted(x);
  out.configurations_ = recording.rows.size();
  x.resize(recording.rows.size(), out.worst_);
  const auto cap = static_cast<std::uint32_t>(std::min<std::size_t>(kMostEvaluations, x.size()));
  out.expected_.push_back(out.worst_);
  const double target = middle - 0.95 * (middle - out.optimum_);
  out.horizon_ = cap;
  for (std::uint32_t t = cap; t > 0; --t) out.expected_.push_back(0);
  for (std::uint32_t t = cap; t > 0; --t) {
    out.expected_[t] = expected_best_of(x, t);
    if (out.expected_[t] <= target) out.horizon_ = t;
  }
  if (horizon) out.horizon_ = std::clamp<std::uint32_t>(*horizon, 1, cap);
  out.times_ = std::move(x);
  return out;
}

// `missed` is the chance that none of the k + 1 fastest was drawn.
double Yardstick::random_best(std::uint64_t evaluations, double share) const {
  double missed = 1;
  const auto n = static_cast<double>(times_.size());
  for (std::size_t k = 0; k + 1 < times_.size(); ++k) {
    const double left = n - static_cast<double>(k);
    missed *= std::max(0.0, left - static_cast<double>(evaluations)) / left;
    if (1 - missed >= share) return times_[k];
  }
  return times_.back();
}

// [t] for t = 0..evaluations.
std::vector<double> Yardstick::best_so_far(const Run& run, std::size_t evaluations) const {
  std::vector<double> best(evaluations + 1, worst_);
  for (std::size_t t = 1; t < best.size(); ++t) {
    best[t] = best[t - 1];
    if (t <= run.values.size() && run.values[t - 1]) {
      best[t] = std::min(best[t], *run.values[t - 1]);
    }
  }
  return best;
}

double Yardstick::score(const Run& run) const {
  const std::vector<double> best = best_so_far(run, kMostEvaluations);
  double sum = 0;
  for (std::uint32_t t = 1; t <= horizon_; ++t) {
    const double to_gain = expected_[t] - optimum_;
    // Where random search is sure of the optimum there is nothing to win or lose.
    if (to_gain > 0) sum += (expected_[t] - best[t]) / to_gain;
  }
  return sum / horizon_;
}

double Yardstick::fraction(const Run& run, std::uint32_t evaluations) const {
  return optimum_ / best_so_far(run, kMostEvaluations)[std::min(evaluations, kMostEvaluations)];
}

std::vector<double> Yardstick::fractions(const Run& run, std::size_t evaluations) const {
  std::vector<double> out = best_so_far(run, evaluations);
  for (double& best : out) best = optimum_ / best;
  out.erase(out.begin());
  return out;
}

Summary summarise(const Yardstick& yardstick, std::span<const Run> runs) {
  Summary out{.runs = runs.size()};
  if (runs.empty()) return out;
  std::vector<double> scores;
  double evaluations = 0;
  double own_seconds = 0;
  for (const Run& run : runs) {
    scores.push_back(yardstick.score(run));
    evaluations += static_cast<double>(run.values.size());
    own_seconds += run.own_seconds;
  }
  out.score = out.worst_space_score = mean(scores);
  out.score_error = standard_error(scores);
  for (std::size_t k = 0; k < kMarks.size(); ++k) {
    double log_sum = 0;
    double near = 0;
    for (const Run& run : runs) {
      const double fraction = yardstick.fraction(run, kMarks[k]);
      log_sum += std::log(fraction);
      near += fraction >= 1 / 1.01 ? 1 : 0;
    }
    out.fraction[k] = std::exp(log_sum / static_cast<double>(runs.size()));
    out.optimum_share[k] = near / static_cast<double>(runs.size());
  }
  out.mean_evaluations = evaluations / static_cast<double>(runs.size());
  out.own_ms_per_evaluation = evaluations == 0 ? 0 : 1e3 * own_seconds / evaluations;
  return out;
}

Summary over_spaces(std::span<const Summary> spaces) {
  Summary out;
  if (spaces.empty()) return out;
  const auto n = static_cast<double>(spaces.size());
  out.worst_space_score = spaces[0].score;
  double squares = 0;
  std::array<double, kMarks.size()> logs{};
  for (const Summary& s : spaces) {
    out.runs += s.runs;
    out.score += s.score / n;
    squares += s.score_error * s.score_error;
    out.worst_space_score = std::min(out.worst_space_score, s.score);
    out.mean_evaluations += s.mean_evaluations / n;
    out.own_ms_per_evaluation += s.own_ms_per_evaluation / n;
    for (std::size_t k = 0; k < kMarks.size(); ++k) {
      logs[k] += std::log(s.fraction[k]) / n;
      out.optimum_share[k] += s.optimum_share[k] / n;
    }
  }
  out.score_error = std::sqrt(squares) / n;
  for (std::size_t k = 0; k < kMarks.size(); ++k) out.fraction[k] = std::exp(logs[k]);
  return out;
}

}  // namespace vyre
