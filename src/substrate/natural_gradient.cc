#include <array>
#include <cstring>

#include "base/error.h"
#include "vyre/primitives.h"
#include "vyre/substrate.h"

namespace vyre::substrate {

Expected<void> natural_config_gradient_magnitude_pre_exp_fixed_via(
    backend::Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::uint32_t> metric, NaturalScratch& scratch,
    std::vector<std::uint32_t>& gradient) {
  const std::size_t n = pre_exp.size();
  if (n == 0 || metric.size() / n != n || metric.size() % n != 0) {
    return bad_inputs("the metric has {} elements for {} weights; give n * n of them, n above 0",
                      metric.size(), n);
  }
  if (!scratch.program || scratch.probabilities.size() != n) {
    VYRE_TRY(scratch.program,
             primitives::natural_gradient_block_apply(static_cast<std::uint32_t>(n)));
  }
  VYRE_TRY_VOID(
      pick_config_pre_exp_fixed_via(dispatcher, pre_exp, scratch.pick, scratch.probabilities));
  const std::array<backend::Input, 2> inputs{std::as_bytes(metric),
                                             std::as_bytes(std::span(scratch.probabilities))};
  const auto groups = backend::ceil_div(static_cast<std::uint32_t>(n), 256);
  const backend::Call call{.inputs = inputs, .grid = backend::Extent{groups, 1, 1}};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, call, scratch.outputs));
  if (scratch.outputs.size() != 1 || scratch.outputs[0].size() != pre_exp.size_bytes()) {
    return backend_error("the device gave back no gradient of {} elements; try another device", n);
  }
  gradient.resize(n);
  std::memcpy(gradient.data(), scratch.outputs[0].data(), pre_exp.size_bytes());
  return {};
}

Expected<std::vector<std::uint32_t>> natural_config_gradient_magnitude_pre_exp_fixed_via(
    backend::Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::uint32_t> metric) {
  NaturalScratch scratch;
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(natural_config_gradient_magnitude_pre_exp_fixed_via(dispatcher, pre_exp, metric,
                                                                    scratch, out));
  return out;
}

}  // namespace vyre::substrate
