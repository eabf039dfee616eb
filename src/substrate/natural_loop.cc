#include "vyre/substrate/natural_loop.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "substrate/counters.h"
#include "substrate/device_call.h"
#include "vyre/substrate/primitives.h"

namespace vyre::substrate {
namespace {

bool is_finite(float x) { return std::isfinite(x); }

Expected<void> check_samples(const Samples& samples, float lambda) {
  const std::size_t n = samples.n;
  const std::size_t k = samples.weights.size();
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (n == 0 || k == 0 || n > most || k > most || samples.values.size() / n != k ||
      samples.values.size() % n != 0) {
    return bad_inputs(
        "there are {} values for {} samples of {} numbers; give samples * n, both "
        "above 0",
        samples.values.size(), k, n);
  }
  if (!(lambda > 0) || !std::isfinite(lambda)) {
    return bad_inputs("lambda {} must be above zero and finite", lambda);
  }
  const auto bad_value = std::ranges::find_if_not(samples.values, is_finite);
  if (bad_value != samples.values.end()) {
    return bad_inputs("sample {} has the value {}; leave failed measurements out",
                      static_cast<std::size_t>(bad_value - samples.values.begin()) / n, *bad_value);
  }
  for (std::size_t s = 0; s < k; ++s) {
    if (samples.weights[s] >= 0 && std::isfinite(samples.weights[s])) continue;
    return bad_inputs("weight {} of sample {} must be finite and not negative", samples.weights[s],
                      s);
  }
  const double sum = std::accumulate(samples.weights.begin(), samples.weights.end(), 0.0);
  if (sum > 0 && sum < std::numeric_limits<float>::max()) return {};
  return bad_inputs("the weights add up to {}; their sum must be above zero and fit an f32", sum);
}

Expected<void> fisher(Dispatcher& dispatcher, const Samples& samples, float lambda,
                      ProgramScratch& scratch, std::vector<float>& out) {
  VYRE_TRY_VOID(check_samples(samples, lambda));
  const auto n = static_cast<std::uint32_t>(samples.n);
  const auto k = static_cast<std::uint32_t>(samples.weights.size());
  VYRE_TRY_VOID(
      keep_program(scratch, "fisher_block", n, k, [&] { return primitives::fisher_block(n, k); }));
  const std::array<Input, 2> inputs{std::as_bytes(samples.values), std::as_bytes(samples.weights)};
  const std::array<Argument, 1> arguments{{{"lambda", std::bit_cast<std::uint32_t>(lambda)}}};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, {.inputs = inputs, .arguments = arguments},
                                    scratch.outputs));
  return take_output(scratch.outputs, 0, samples.n * samples.n, "Fisher block", out);
}

Expected<void> inverse_root(Dispatcher& dispatcher, std::span<const float> m, std::size_t n,
                            ProgramScratch& scratch, std::vector<float>& out) {
  VYRE_TRY_VOID(check_block("matrix", m.size(), n, n));
  const auto size = static_cast<std::uint32_t>(n);
  VYRE_TRY_VOID(keep_program(scratch, "inverse_sqrt", size, 0,
                             [size] { return primitives::inverse_sqrt(size); }));
  const std::array<Input, 1> inputs{std::as_bytes(m)};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, {.inputs = inputs}, scratch.outputs));
  if (scratch.outputs.size() != 2 || scratch.outputs[1].size() != sizeof(float)) {
    return backend_error("the device gave back no residual; try another device");
  }
  float residual = 0;
  std::memcpy(&residual, scratch.outputs[1].data(), sizeof(residual));
  if (!(residual < kMostResidual)) {
    return bad_inputs(
        "the inverse square root did not converge: its residual is {:.3g}, not below "
        "{}; the matrix must be symmetric and positive definite: add to its diagonal",
        residual, kMostResidual);
  }
  return take_output(scratch.outputs, 0, m.size(), "inverse root", out);
}

// root * g
Expected<void> apply_root(std::span<const float> root, std::span<const double> g,
                          std::vector<double>& out) {
  out.assign(g.size(), 0.0);
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto row = root.subspan(i * g.size(), g.size());
    out[i] = std::inner_product(row.begin(), row.end(), g.begin(), 0.0);
  }
  return {};
}

Expected<void> whiten(Dispatcher& dispatcher, std::span<const float> m, std::span<const double> g,
                      RootScratch& scratch, std::vector<double>& out) {
  VYRE_TRY_VOID(check_block("Fisher block", m.size(), g.size(), g.size()));
  VYRE_TRY_VOID(inverse_root(dispatcher, m, g.size(), scratch.root_program, scratch.root));
  return apply_root(scratch.root, g, out);
}

Expected<void> precondition(Dispatcher& dispatcher, std::span<const float> m,
                            std::span<const double> g, RootScratch& scratch,
                            std::vector<double>& out) {
  VYRE_TRY_VOID(whiten(dispatcher, m, g, scratch, scratch.whitened));
  return apply_root(scratch.root, scratch.whitened, out);
}

}  // namespace

Expected<void> damped_fisher_via(Dispatcher& dispatcher, const Samples& samples, float lambda,
                                 ProgramScratch& scratch, std::vector<float>& out) {
  count(Module::fisher_estimation);
  return fisher(dispatcher, samples, lambda, scratch, out);
}

Expected<std::vector<float>> damped_fisher_via(Dispatcher& dispatcher, const Samples& samples,
                                               float lambda) {
  ProgramScratch scratch;
  std::vector<float> out;
  VYRE_TRY_VOID(damped_fisher_via(dispatcher, samples, lambda, scratch, out));
  return out;
}

Expected<void> inverse_sqrt_via(Dispatcher& dispatcher, std::span<const float> m, std::size_t n,
                                ProgramScratch& scratch, std::vector<float>& out) {
  count(Module::inverse_square_root);
  return inverse_root(dispatcher, m, n, scratch, out);
}

Expected<std::vector<float>> inverse_sqrt_via(Dispatcher& dispatcher, std::span<const float> m,
                                              std::size_t n) {
  ProgramScratch scratch;
  std::vector<float> out;
  VYRE_TRY_VOID(inverse_sqrt_via(dispatcher, m, n, scratch, out));
  return out;
}

Expected<void> whitened_gradient_via(Dispatcher& dispatcher, std::span<const float> m,
                                     std::span<const double> g, RootScratch& scratch,
                                     std::vector<double>& out) {
  count(Module::natural_gradient_autotuner);
  count(Module::inverse_square_root);
  return whiten(dispatcher, m, g, scratch, out);
}

Expected<std::vector<double>> whitened_gradient_via(Dispatcher& dispatcher,
                                                    std::span<const float> m,
                                                    std::span<const double> g) {
  RootScratch scratch;
  std::vector<double> out;
  VYRE_TRY_VOID(whitened_gradient_via(dispatcher, m, g, scratch, out));
  return out;
}

Expected<void> natural_gradient_via(Dispatcher& dispatcher, std::span<const float> m,
                                    std::span<const double> g, RootScratch& scratch,
                                    std::vector<double>& out) {
  count(Module::natural_gradient_autotuner);
  count(Module::inverse_square_root);
  return precondition(dispatcher, m, g, scratch, out);
}

Expected<std::vector<double>> natural_gradient_via(Dispatcher& dispatcher, std::span<const float> m,
                                                   std::span<const double> g) {
  RootScratch scratch;
  std::vector<double> out;
  VYRE_TRY_VOID(natural_gradient_via(dispatcher, m, g, scratch, out));
  return out;
}

Expected<void> natural_step_via(Dispatcher& dispatcher, const Samples& samples, float lambda,
                                std::span<const double> g, double lr, StepScratch& scratch,
                                std::vector<double>& step) {
  count(Module::fisher_estimation);
  count(Module::natural_gradient_autotuner);
  count(Module::inverse_square_root);
  VYRE_TRY_VOID(check_samples(samples, lambda));
  if (g.size() != samples.n) {
    return bad_inputs("the gradient has {} numbers, the samples {}; give as many", g.size(),
                      samples.n);
  }
  VYRE_TRY_VOID(fisher(dispatcher, samples, lambda, scratch.fisher_program, scratch.fisher));
  VYRE_TRY_VOID(precondition(dispatcher, scratch.fisher, g, scratch.root, step));
  for (double& s : step) s *= -lr;
  return {};
}

Expected<std::vector<double>> natural_step_via(Dispatcher& dispatcher, const Samples& samples,
                                               float lambda, std::span<const double> g, double lr) {
  StepScratch scratch;
  std::vector<double> out;
  VYRE_TRY_VOID(natural_step_via(dispatcher, samples, lambda, g, lr, scratch, out));
  return out;
}

}  // namespace vyre::substrate
