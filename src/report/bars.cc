#include "report/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vyre::report {
namespace {

// Pixels.
constexpr double kLabels = 160;
constexpr double kLongest = 140;
constexpr double kNumbers = 96;
constexpr double kRow = 26;
constexpr double kThick = 14;
constexpr double kBarEdge = 4;

double shown(const Bar& bar) { return std::isfinite(bar.value) ? std::max(bar.value, 0.0) : 0; }

std::string row_of(const Bar& bar, double y, double length) {
  std::string out =
      text_at({kLabels - 8, y + kThick - 2}, cut(bar.label, kLabels - 12), "text-anchor=\"end\"");
  out +=
      fmt::format("<rect class=\"f{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\"/>\n",
                  static_cast<std::size_t>(bar.ink), number(kLabels), number(y), number(length),
                  number(kThick));
  return out + text_at({kLabels + length + 6, y + kThick - 2}, bar.text, "class=\"dim\"");
}

}  // namespace

std::string to_svg(const Bars& bars, Form form) {
  const double top = form == Form::file ? 44 : kBarEdge;
  double most = 0;
  for (const Bar& bar : bars.bars) most = std::max(most, shown(bar));
  std::string body;
  if (form == Form::file) body = text_at({kBarEdge, 28}, bars.title, "class=\"title\"");
  double y = top;
  for (const Bar& bar : bars.bars) {
    // A bar that is too short to see is still one.
    body += row_of(bar, y, most > 0 ? std::max(1.5, kLongest * shown(bar) / most) : 1.5);
    y += kRow;
  }
  return drawing({kLabels + kLongest + kNumbers, y + kBarEdge}, bars.title, body, form);
}

}  // namespace vyre::report
