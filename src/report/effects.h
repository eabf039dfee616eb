// What each parameter is worth: an additive model of the measured times, and what pairs of
// parameters explain beyond it.
//
// A search measures good values more often than bad ones, so plain averages per value are wrong:
// they mix a value's own effect with that of its usual company. The model fits all parameters at
// once. log(time) = mean + one number for each value of each parameter, by least squares. A value
// that was measured once or twice is drawn towards the mean, because its number is mostly noise.
//
// A pair is worth as much as it predicts: for each configuration, the mean of what the model leaves
// of the other configurations with the same two values. So a pair with one configuration per cell
// predicts nothing, however well it could be fitted.

#pragma once

#include <cstdint>
#include <vector>

#include "report/chapter.h"

namespace vyre::report {

struct ValueEffect {
  double log_times = 0;      // how much slower than the mean, as a logarithm
  std::uint64_t count = 0;   // configurations that were measured with it
  std::uint64_t failed = 0;  // and that failed with it
};

struct ParameterEffect {
  std::size_t parameter = 0;
  std::vector<ValueEffect> values = {};
  double share = 0;  // of the variance of log(time): 0 to 1
  // The fastest and the slowest of the values that were measured, and how many times apart they
  // are.
  std::size_t best = 0;
  std::size_t worst = 0;
  double times = 1;
};

struct PairEffect {
  std::size_t first = 0;  // parameters, first < second
  std::size_t second = 0;
  double share = 0;  // of what single parameters leave: what the pair predicts of it
};

struct Effects {
  std::uint64_t configurations = 0;  // measured, and used
  // The share of the variance that the model predicts of configurations that it was not fitted to:
  // five times a fifth of them. Near 0: the shares of single parameters are guesses.
  double predicted = 0;
  std::vector<ParameterEffect> parameters = {};  // largest share first; those with one value last
  std::vector<PairEffect> pairs = {};            // those that predict anything, best first
};

// Pairs are looked for among the so many parameters that explain most.
inline constexpr std::size_t kMostPaired = 40;

// Takes at most 20 000 measured configurations, fewer if there are more than 200 parameters, at
// random but the same ones each time. Without two of them that differ in time all shares are 0.
Effects effects_of(const Chapter& chapter);

}  // namespace vyre::report
