// From values to pixels: the paths of one panel's series, as SVG writes them.

#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "report/plot.h"

namespace vyre::report {

// From values to pixels, for one panel.
class Frame {
 public:
  Frame(const Panel& panel, const Corner& corner, double width)
      : panel_(panel), corner_(corner), width_(width) {}

  double left() const { return corner_.x; }
  double right() const { return corner_.x + width_; }
  double top() const { return corner_.y; }
  double bottom() const { return corner_.y + panel_.height; }
  double x(double value) const { return corner_.x + width_ * share(panel_.x, value); }
  double y(double value) const { return bottom() - panel_.height * share(panel_.y, value); }

 private:
  static double share(const Axis& axis, double value) {
    const double v = std::clamp(value, axis.low, axis.high);
    if (axis.scale == Scale::linear) return (v - axis.low) / (axis.high - axis.low);
    return std::log(v / axis.low) / std::log(axis.high / axis.low);
  }

  const Panel& panel_;
  Corner corner_;
  double width_;
};

// The line or the marks of a series; empty if it has none.
std::string path_of(const Frame& frame, const Series& series);
// The outline of its band; empty if it has none.
std::string band_path(const Frame& frame, const Series& series);
// The strokes that one mark adds to a path, starting from the mark's place.
std::string_view mark_path(Draw draw);
bool is_line(Draw draw);

}  // namespace vyre::report
