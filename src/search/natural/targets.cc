#include "search/natural/targets.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vyre::natural {

Targets make_targets(std::span<const std::optional<double>> times) {
  constexpr double kLeastScale =
      1e-3;  // a tenth of a percent of time: differences below this are not bent
  std::vector<double> logs;
  for (const auto& t : times) {
    if (t) logs.push_back(std::log(*t));
  }
  std::ranges::sort(logs);
  const double low = logs.front();
  const double middle = logs[(logs.size() - 1) / 2];  // of two in the middle the faster one
  const double scale = std::max(kLeastScale, middle - low);
  Targets out;
  out.values.resize(static_cast<Eigen::Index>(times.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double v = times[i] ? std::log(*times[i]) : middle;
    out.values[static_cast<Eigen::Index>(i)] =
        v <= middle ? v : middle + scale * std::log1p((v - middle) / scale);
  }
  const double mean = out.values.mean();
  double deviation = std::sqrt((out.values.array() - mean).square().mean());
  if (deviation < 1e-9) deviation = 1;
  out.values = (out.values.array() - mean) / deviation;
  out.best = (low - mean) / deviation;
  out.unit = deviation;
  return out;
}

}  // namespace vyre::natural
