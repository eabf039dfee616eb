// The axes of a plot: where they begin, where they end, and where they have numbers.

#pragma once

#include <string>
#include <vector>

namespace vyre::report {

enum class Scale : bool { linear, logarithmic };

struct Axis {
  std::string label = {};
  double low = 0;
  double high = 1;  // above `low`; both above 0 on a logarithmic scale
  Scale scale = Scale::linear;
  bool is_count = false;  // numbers stand at whole values only
};

// The numbers shown on an axis: round, ascending, at least two; of counts as many as there are.
std::vector<double> ticks_of(const Axis& axis);

// `low` and `high` with some room on both sides, wide enough to be an axis.
Axis axis_around(std::string label, double low, double high, Scale scale);

}  // namespace vyre::report
