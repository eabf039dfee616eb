// The axes of a plot: where they begin, where they end, and where they have numbers.

#pragma once

#include <string>
#include <vector>

namespace vyre::cli {

enum class Scale : bool { linear, logarithmic };

struct Axis {
  std::string label;
  double low = 0;
  double high = 1;  // above `low`; both above 0 on a logarithmic scale
  Scale scale = Scale::linear;
};

// The numbers shown on an axis: round, ascending, at least two.
std::vector<double> ticks_of(const Axis& axis);

// `low` and `high` with some room on both sides, wide enough to be an axis.
Axis axis_around(std::string label, double low, double high, Scale scale);

}  // namespace vyre::cli
