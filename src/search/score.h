// Judging searches on recorded spaces: how much better than random search, and how near to the
// optimum after so many evaluations.
//
// Per space, of N configurations with the valid times x_1 <= ... <= x_m (opt = x_1, worst = x_m):
//   best(t)  a run's best after t evaluations; `worst` while it has none; constant after its last.
//   B(t)     expected best of t draws without replacement from all N, exactly; failed ones count
//            as `worst`.
//   score    mean over t = 1..T of (B(t) - F(t)) / (B(t) - opt), F(t) the mean of best(t) over the
//            runs: 0 is random search, 1 is the optimum at once.
//   frac@k   geometric mean over the runs of opt / best(k).
//   opt@k    share of the runs whose best(k) is within 1 % of opt.
// Over spaces: the mean of score and opt@k, the geometric mean of frac@k.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vyre/substrate/search.h"

namespace vyre {

inline constexpr std::array<std::uint32_t, 6> kMarks{10, 25, 50, 100, 200, 400};

// One search of one space.
struct Run {
  std::uint64_t seed = 0;
  std::vector<std::optional<double>> values;  // per evaluation in order; nothing: it failed
  double own_seconds = 0;                     // the strategy's own time, measured
  double simulated_seconds = 0;               // what the device would have taken
};

// Runs `strategy` on the recorded device until `budget` evaluations, or until it has no more to
// ask.
Expected<Run> run_replay(Replay device, std::string_view strategy, const StrategyOptions& options,
                         std::uint32_t budget);

// The expected result of random search on a space: the yardstick for every strategy.
class Yardstick {
 public:
  // `horizon` fixes T; without it T is where random search has come within 5 % of the way from the
  // median to the optimum, at most 400. Fails where no configuration of the recording is valid.
  static Expected<Yardstick> make(const recording::Recording& recording,
                                  std::optional<std::uint32_t> horizon);

  double optimum() const { return optimum_; }
  double worst() const { return worst_; }
  std::size_t configurations() const { return configurations_; }
  std::uint32_t horizon() const { return horizon_; }
  double expected_best(std::uint32_t evaluations) const { return expected_[evaluations]; }

  // The best that random search has found after so many evaluations in this share of its runs or
  // more, computed exactly; failures count as above. `evaluations` from 1 to configurations(),
  // `share` above 0.
  double random_best(std::uint64_t evaluations, double share) const;

  double score(const Run& run) const;
  // opt / best(k)
  double fraction(const Run& run, std::uint32_t evaluations) const;
  // [k] is opt / best(k + 1), for as many evaluations as wanted.
  std::vector<double> fractions(const Run& run, std::size_t evaluations) const;

 private:
  std::vector<double> best_so_far(const Run& run, std::size_t evaluations) const;

  double optimum_ = 0;
  double worst_ = 0;
  std::size_t configurations_ = 0;
  std::uint32_t horizon_ = 0;
  std::vector<double> expected_;  // [t], from 1
  std::vector<double> times_;     // of all configurations, ascending
};

struct Summary {
  std::size_t runs = 0;
  double score = 0;
  double score_error = 0;  // standard error; 0 with a single run
  double worst_space_score = 0;
  std::array<double, kMarks.size()> fraction{};
  std::array<double, kMarks.size()> optimum_share{};
  double mean_evaluations = 0;
  double own_ms_per_evaluation = 0;
};

Summary summarise(const Yardstick& yardstick, std::span<const Run> runs);
Summary over_spaces(std::span<const Summary> spaces);

}  // namespace vyre
