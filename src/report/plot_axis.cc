#include "report/plot_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vyre::report {
namespace {

constexpr std::array kRound{1.0, 2.0, 5.0};

// The ends of an axis belong to it, in spite of rounding.
bool is_on(const Axis& axis, double value) {
  const double slack = 1e-9 * (axis.high - axis.low);
  return value >= axis.low - slack && value <= axis.high + slack;
}

double round_step(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double digit : kRound) {
    if (digit * decade >= least * (1 - 1e-9)) return digit * decade;
  }
  return 10 * decade;
}

std::vector<double> even_ticks(const Axis& axis) {
  constexpr double kMostSteps = 6;
  double step = round_step((axis.high - axis.low) / kMostSteps);
  if (axis.is_count) step = std::max(step, 1.0);
  std::vector<double> out;
  const double first = std::ceil(axis.low / step - 1e-9);
  for (double k = first; is_on(axis, k * step); ++k) out.push_back(k == 0 ? 0.0 : k * step);
  return out;
}

// 1, 2, 5, 10 over few decades, then 1, 10, 100, then every so many decades.
std::vector<double> logarithmic_ticks(const Axis& axis) {
  const double decades = std::log10(axis.high / axis.low);
  const std::size_t digits = decades < 3.2 ? kRound.size() : 1;
  const double every = std::max(1.0, std::ceil(decades / 8));
  std::vector<double> out;
  for (double k = std::floor(std::log10(axis.low)); k <= std::log10(axis.high) + 1e-9; k += every) {
    for (std::size_t d = 0; d < digits; ++d) {
      // Dividing by a whole power is exact where multiplying by a fraction is not: 0.01, not 1e-2.
      const double tick = k < 0 ? kRound[d] / std::pow(10.0, -k) : kRound[d] * std::pow(10.0, k);
      if (is_on(axis, tick)) out.push_back(tick);
    }
  }
  return out;
}

}  // namespace

std::vector<double> ticks_of(const Axis& axis) {
  if (axis.scale == Scale::logarithmic) {
    auto ticks = logarithmic_ticks(axis);
    if (axis.is_count) std::erase_if(ticks, [](double tick) { return tick < 1; });
    if (ticks.size() >= 3) return ticks;
  }
  return even_ticks(axis);
}

Axis axis_around(std::string label, double low, double high, Scale scale) {
  constexpr double kRoom = 0.04;
  Axis out{std::move(label), low, high, scale};
  if (scale == Scale::logarithmic) {
    const double factor = std::pow(std::max(high / low, 1.1), kRoom);
    out.low = low / factor;
    out.high = high * factor;
    return out;
  }
  const double room = kRoom * std::max(high - low, std::max(std::abs(high), 1e-9) * 0.1);
  out.low = low - room;
  out.high = high + room;
  return out;
}

}  // namespace vyre::report
