#include "search/natural/probe_selector.h"

#include <algorithm>
#include <cmath>

namespace vyre::natural {
namespace {

// Q16 with the largest entry at one.
void to_q16(const Eigen::MatrixXf& metric, std::vector<std::uint32_t>& out) {
  const float largest = std::max(metric.maxCoeff(), 1e-30F);
  const auto scale = static_cast<float>(substrate::kOne) / largest;
  out.clear();
  for (Eigen::Index row = 0; row < metric.rows(); ++row) {
    for (Eigen::Index column = 0; column < metric.cols(); ++column) {
      const float entry = std::max(0.0F, metric(row, column)) * scale;
      out.push_back(static_cast<std::uint32_t>(std::lround(entry)));
    }
  }
}

}  // namespace

// On the caller's thread: the problem is too small to share.
ProbeSelector::ProbeSelector() : dispatcher_(make_dispatcher(open_reference({.threads = 1}))) {}

std::size_t ProbeSelector::choose(std::span<const double> costs, const Eigen::MatrixXf& metric) {
  to_q16(metric, metric_);
  const auto weights = substrate::pre_exp_of_costs(costs, 1.0);
  // These fail only if memory runs out; the search then goes on with the plain best.
  if (!weights || !substrate::natural_config_gradient_magnitude_pre_exp_fixed_via(
                      *dispatcher_, *weights, metric_, scratch_, gradient_)) {
    return static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
  }
  return static_cast<std::size_t>(std::ranges::max_element(gradient_) - gradient_.begin());
}

}  // namespace vyre::natural
