// Estimate: a run time with its uncertainty, from a few noisy samples. docs/measuring.md has the
// statistics and figures.

#pragma once

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

}  // namespace vyre
