// Estimate: a run time with its uncertainty, from a few noisy samples. Gain: how many times faster
// one configuration is than another, from samples that were taken side by side. docs/measuring.md
// has the statistics and figures.

#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace vyre {

struct Estimate {
  double ns = 0;  // 0: not known
  double low_ns = 0;
  double high_ns = 0;

  bool operator==(const Estimate&) const = default;
};

// The relative spread (standard deviation over median) that is assumed for the run times of a
// kernel before any are known.
inline constexpr double kUsualSpread = 0.02;

// The median of `samples_ns`, and an interval that holds the true median about 19 times in 20.
// `spread` is the noise that other candidates showed; with few samples it decides the width of the
// interval. Without samples all fields are 0.
Estimate estimate(std::span<const double> samples_ns, double spread = kUsualSpread);

// The relative spread of `samples_ns` around their median. None for fewer than two samples.
std::optional<double> relative_spread(std::span<const double> samples_ns);

// How many times faster the winner is than the default: 2 means that it takes half the time.
struct Gain {
  double times = 1;
  double low = 1;
  double high = 1;
  std::uint32_t pairs = 0;  // 0: not known

  bool operator==(const Gain&) const = default;
};

// The median of the pairs' ratios, and an interval that holds the true ratio about 19 times in 20.
// Run k of the default and run k of the winner are a pair: they were run right after one another,
// so a change of the device's speed between pairs cancels. Which of the two runs first should
// alternate. Pairs that are incomplete or not positive are left out.
Gain gain_of(std::span<const double> default_ns, std::span<const double> winner_ns);

// How many times slower a configuration was in its pairs than it is known to be able to run, from
// these and all its other samples. At least 1.
double slowdown_of(std::span<const double> paired_ns, std::span<const double> other_ns);

// The interval of a gain that was measured on cores that others used, too. `slowdown`: the larger
// of the two configurations'. Pairs cancel a load that slows both alike, but a load may slow one of
// them only, in every pair. Slowdowns that noise makes change nothing.
Gain under_load(const Gain& gain, double slowdown);

}  // namespace vyre
