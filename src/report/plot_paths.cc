#include "report/plot_paths.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace vyre::report {
namespace {

bool is_finite(const Vertex& v) { return std::isfinite(v.x) && std::isfinite(v.y); }
bool is_finite(const Span& s) {
  return std::isfinite(s.x) && std::isfinite(s.low) && std::isfinite(s.high);
}

std::string steps_path(const Frame& frame, const std::vector<Vertex>& points) {
  std::string out;
  std::string height;  // where the pen is
  std::string last_x;
  for (const Vertex& point : points) {
    if (!is_finite(point)) continue;
    const std::string y = number(frame.y(point.y));
    last_x = number(frame.x(point.x));
    if (out.empty()) {
      out = fmt::format("M{} {}", last_x, y);
    } else if (y != height) {
      out += fmt::format("H{}V{}", last_x, y);
    }
    height = y;
  }
  return out.empty() ? out : out + "H" + last_x;
}

// Of many marks, those that would cover another one to the pixel are left out: a drawing grows with
// its area then, and not with the number of samples.
std::string marks_path(const Frame& frame, const std::vector<Vertex>& points, Draw draw) {
  constexpr std::size_t kMany = 2000;
  std::set<std::pair<long, long>> taken;
  std::string out;
  for (const Vertex& point : points) {
    if (!is_finite(point)) continue;
    const std::pair pixel(std::lround(frame.x(point.x)), std::lround(frame.y(point.y)));
    if (points.size() > kMany && !taken.insert(pixel).second) continue;
    out += fmt::format("M{} {}", number(frame.x(point.x)), number(frame.y(point.y)));
    out += mark_path(draw);
  }
  return out;
}

}  // namespace

bool is_line(Draw draw) { return draw == Draw::steps || draw == Draw::dashed_steps; }

std::string_view mark_path(Draw draw) {
  return draw == Draw::crosses ? "m-3-3l6 6m0-6l-6 6" : "h0";
}

std::string band_path(const Frame& frame, const Series& series) {
  std::vector<Vertex> above;
  std::vector<Vertex> below;
  for (const Span& span : series.band) {
    if (!is_finite(span)) continue;
    above.push_back({span.x, span.high});
    below.push_back({span.x, span.low});
  }
  std::string out = steps_path(frame, above);
  if (out.empty()) return out;
  std::string height;
  for (std::size_t k = below.size(); k-- > 0;) {
    const std::string y = number(frame.y(below[k].y));
    if (y != height && !height.empty()) out += "H" + number(frame.x(below[k + 1].x));
    if (y != height) out += "V" + y;
    height = y;
  }
  return out + "H" + number(frame.x(below.front().x)) + "Z";
}

std::string path_of(const Frame& frame, const Series& series) {
  return is_line(series.draw) ? steps_path(frame, series.points)
                              : marks_path(frame, series.points, series.draw);
}

}  // namespace vyre::report
