#include "vyre/substrate/pick.h"

#include <algorithm>
#include <cmath>
#include <compare>

#include "substrate/counters.h"
#include "substrate/device_call.h"

namespace vyre::substrate {
namespace {

using Weights = std::span<const std::uint32_t>;

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

// softmax(sign * x / temperature), times `scale`. The largest exponent is subtracted from all, so
// that exp never overflows.
void weigh(std::span<const double> x, double sign, double temperature, double scale,
           std::vector<double>& out) {
  out.resize(x.size());
  if (x.empty()) return;
  const auto [least, most] = std::ranges::minmax(x);
  const double best = sign < 0 ? least : most;
  double sum = 0;
  // The difference comes before the division: two large numbers may be near each other.
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

// Minus the probabilities, which are at most ONE each.
void negate(Weights probabilities, std::vector<std::int32_t>& out) {
  out.clear();
  for (const std::uint32_t p : probabilities) out.push_back(-static_cast<std::int32_t>(p));
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

Expected<void> pick_config_pre_exp_fixed_via(Dispatcher& dispatcher, Weights pre_exp,
                                             PickScratch& scratch,
                                             std::vector<std::uint32_t>& probabilities) {
  count(Module::differentiable_autotune);
  return pick_fixed(dispatcher, pre_exp, scratch, probabilities);
}

Expected<std::vector<std::uint32_t>> pick_config_pre_exp_fixed_via(Dispatcher& dispatcher,
                                                                   Weights pre_exp) {
  PickScratch scratch;
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(pick_config_pre_exp_fixed_via(dispatcher, pre_exp, scratch, out));
  return out;
}

Expected<void> config_gradient_magnitude_pre_exp_fixed_via(Dispatcher& dispatcher, Weights pre_exp,
                                                           PickScratch& scratch,
                                                           std::vector<std::uint32_t>& gradient) {
  return pick_config_pre_exp_fixed_via(dispatcher, pre_exp, scratch, gradient);
}

Expected<std::vector<std::uint32_t>> config_gradient_magnitude_pre_exp_fixed_via(
    Dispatcher& dispatcher, Weights pre_exp) {
  return pick_config_pre_exp_fixed_via(dispatcher, pre_exp);
}

Expected<void> config_gradient_pre_exp_fixed_signed_via(Dispatcher& dispatcher, Weights pre_exp,
                                                        SignedPickScratch& scratch,
                                                        std::vector<std::int32_t>& gradient) {
  count(Module::differentiable_autotune);
  VYRE_TRY_VOID(pick_fixed(dispatcher, pre_exp, scratch.pick, scratch.probabilities));
  negate(scratch.probabilities, gradient);
  return {};
}

Expected<std::vector<std::int32_t>> config_gradient_pre_exp_fixed_signed_via(Dispatcher& dispatcher,
                                                                             Weights pre_exp) {
  SignedPickScratch scratch;
  std::vector<std::int32_t> out;
  VYRE_TRY_VOID(config_gradient_pre_exp_fixed_signed_via(dispatcher, pre_exp, scratch, out));
  return out;
}

Expected<void> natural_config_gradient_magnitude_pre_exp_fixed_via(
    Dispatcher& dispatcher, Weights pre_exp, Weights m_inv_sqrt, NaturalScratch& scratch,
    std::vector<std::uint32_t>& gradient) {
  count(Module::differentiable_autotune);
  count(Module::natural_gradient_autotuner);
  VYRE_TRY_VOID(check_block("metric", m_inv_sqrt.size(), pre_exp.size(), pre_exp.size()));
  VYRE_TRY_VOID(pick_fixed(dispatcher, pre_exp, scratch.pick, scratch.probabilities));
  return apply_fixed(dispatcher, m_inv_sqrt, scratch.probabilities, scratch.product, gradient);
}

Expected<std::vector<std::uint32_t>> natural_config_gradient_magnitude_pre_exp_fixed_via(
    Dispatcher& dispatcher, Weights pre_exp, Weights m_inv_sqrt) {
  NaturalScratch scratch;
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(natural_config_gradient_magnitude_pre_exp_fixed_via(dispatcher, pre_exp, m_inv_sqrt,
                                                                    scratch, out));
  return out;
}

Expected<void> natural_config_gradient_pre_exp_fixed_signed_via(
    Dispatcher& dispatcher, Weights pre_exp, std::span<const std::int32_t> m_inv_sqrt,
    NaturalScratch& scratch, std::vector<std::int32_t>& gradient) {
  count(Module::differentiable_autotune);
  count(Module::natural_gradient_autotuner);
  VYRE_TRY_VOID(check_block("metric", m_inv_sqrt.size(), pre_exp.size(), pre_exp.size()));
  VYRE_TRY_VOID(pick_fixed(dispatcher, pre_exp, scratch.pick, scratch.probabilities));
  negate(scratch.probabilities, scratch.gradient);
  return apply_fixed(dispatcher, m_inv_sqrt, scratch.gradient, scratch.product, gradient);
}

Expected<std::vector<std::int32_t>> natural_config_gradient_pre_exp_fixed_signed_via(
    Dispatcher& dispatcher, Weights pre_exp, std::span<const std::int32_t> m_inv_sqrt) {
  NaturalScratch scratch;
  std::vector<std::int32_t> out;
  VYRE_TRY_VOID(natural_config_gradient_pre_exp_fixed_signed_via(dispatcher, pre_exp, m_inv_sqrt,
                                                                 scratch, out));
  return out;
}

}  // namespace vyre::substrate
