// Targets: the numbers that the surrogate fits.
//
// A target is the logarithm of a time, because effects multiply. Above the median it is bent into a
// second logarithm: the slowness of a slow configuration says little about where the fast ones are,
// and would set the scale for all. A failed configuration counts as the median, because it says
// nothing about how fast its neighbours are (the fastest often lie next to a limit of the device).
// The feasibility model keeps the search away from failures.

#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

namespace vyre::natural {

struct Targets {
  Eigen::VectorXd values;  // standardised: mean 0, deviation 1
  double best = 0;         // the least of them that did not fail
  double unit = 1;         // what 1 is as a logarithm of time, below the median
};

// Times in any unit, nothing where it failed; at least one did not.
Targets make_targets(std::span<const std::optional<double>> times);

}  // namespace vyre::natural
