#include <algorithm>
#include <cmath>
#include <compare>

#include "base/error.h"
#include "vyre/substrate/pick.h"

namespace vyre::substrate {
namespace {

Expected<void> check_temperature(double temperature) {
  if (temperature > 0 && std::isfinite(temperature)) return {};
  return bad_inputs("temperature {} must be above zero and finite", temperature);
}

Expected<void> check_costs(std::span<const double> costs) {
  for (std::size_t k = 0; k < costs.size(); ++k) {
    if (std::isfinite(costs[k])) continue;
    return bad_inputs("cost {} of candidate {} is not finite; leave failed candidates out",
                      costs[k], k);
  }
  return {};
}

// softmax(sign * x / temperature), the largest exponent being 0; `scale` is the sign of the result.
void weigh(std::span<const double> x, double sign, double temperature, double scale,
           std::vector<double>& out) {
  out.resize(x.size());
  if (x.empty()) return;
  const auto [least, most] = std::ranges::minmax(x);
  const double best = sign < 0 ? least : most;
  double sum = 0;
  // Each difference is divided by itself: two large numbers may be near each other.
  for (std::size_t k = 0; k < x.size(); ++k) {
    sum += out[k] = std::exp(sign * ((x[k] - best) / temperature));
  }
  for (double& weight : out) weight *= scale / sum;
}

template <class Function>
auto fresh(const Function& fill) -> Expected<std::vector<double>> {
  std::vector<double> out;
  VYRE_TRY_VOID(fill(out));
  return out;
}

}  // namespace

Expected<std::vector<double>> softmax(std::span<const double> x) {
  return differentiable_argmax(x, 1);
}

Expected<std::vector<double>> differentiable_argmax(std::span<const double> x, double temperature) {
  VYRE_TRY_VOID(check_temperature(temperature));
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(x[k])) return bad_inputs("number {} is {}; it must be finite", k, x[k]);
  }
  std::vector<double> out;
  weigh(x, 1, temperature, 1, out);
  return out;
}

Expected<void> pick_config(std::span<const double> costs, double temperature,
                           std::vector<double>& probabilities) {
  VYRE_TRY_VOID(check_temperature(temperature));
  VYRE_TRY_VOID(check_costs(costs));
  weigh(costs, -1, temperature, 1, probabilities);
  return {};
}

Expected<std::vector<double>> pick_config(std::span<const double> costs, double temperature) {
  return fresh([&](auto& out) { return pick_config(costs, temperature, out); });
}

Expected<void> config_gradient(std::span<const double> costs, double temperature,
                               std::vector<double>& gradient) {
  VYRE_TRY_VOID(check_temperature(temperature));
  VYRE_TRY_VOID(check_costs(costs));
  weigh(costs, -1, temperature, -1, gradient);
  return {};
}

Expected<std::vector<double>> config_gradient(std::span<const double> costs, double temperature) {
  return fresh([&](auto& out) { return config_gradient(costs, temperature, out); });
}

Expected<std::size_t> pick_best_config(std::span<const double> costs) {
  if (costs.empty()) return bad_inputs("there are no costs to pick from; give at least one");
  const auto before = [](double a, double b) { return std::strong_order(a, b) < 0; };
  return static_cast<std::size_t>(std::ranges::min_element(costs, before) - costs.begin());
}

Expected<void> pre_exp_of_costs(std::span<const double> costs, double temperature,
                                std::vector<std::uint32_t>& pre_exp) {
  VYRE_TRY_VOID(check_temperature(temperature));
  VYRE_TRY_VOID(check_costs(costs));
  pre_exp.clear();
  if (costs.empty()) return {};
  const double least = *std::ranges::min_element(costs);
  for (const double cost : costs) {
    const double weight = std::exp(-(cost - least) / temperature) * kOne;
    pre_exp.push_back(static_cast<std::uint32_t>(std::lround(weight)));
  }
  return {};
}

Expected<std::vector<std::uint32_t>> pre_exp_of_costs(std::span<const double> costs,
                                                      double temperature) {
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(pre_exp_of_costs(costs, temperature, out));
  return out;
}

}  // namespace vyre::substrate
