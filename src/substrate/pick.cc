#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "vyre/primitives.h"
#include "vyre/substrate.h"

namespace vyre::substrate {

Expected<std::vector<std::uint32_t>> pre_exp_of_costs(std::span<const double> costs,
                                                      double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature)) {
    return bad_inputs("temperature {} must be above zero and finite", temperature);
  }
  for (std::size_t k = 0; k < costs.size(); ++k) {
    if (std::isfinite(costs[k])) continue;
    return bad_inputs("cost {} of candidate {} is not finite; leave failed candidates out",
                      costs[k], k);
  }
  std::vector<std::uint32_t> out;
  if (costs.empty()) return out;
  const double least = *std::ranges::min_element(costs);
  for (const double cost : costs) {
    const double weight = std::exp(-(cost - least) / temperature) * kOne;
    out.push_back(static_cast<std::uint32_t>(std::lround(weight)));
  }
  return out;
}

Expected<void> pick_config_pre_exp_fixed_via(backend::Dispatcher& dispatcher,
                                             std::span<const std::uint32_t> pre_exp,
                                             PickScratch& scratch,
                                             std::vector<std::uint32_t>& probabilities) {
  if (pre_exp.empty() || pre_exp.size() > std::numeric_limits<std::uint32_t>::max()) {
    return bad_inputs("pre_exp has {} weights; give 1 to 2^32 - 1 candidates", pre_exp.size());
  }
  const auto n = static_cast<std::uint32_t>(pre_exp.size());
  if (!scratch.program || scratch.n != n) {
    VYRE_TRY(scratch.program, primitives::softmax_step(n));
    scratch.n = n;
  }
  const std::array<backend::Input, 1> inputs{std::as_bytes(pre_exp)};
  const backend::Call call{.inputs = inputs,
                           .grid = backend::Extent{backend::ceil_div(n, 256), 1, 1}};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, call, scratch.outputs));
  if (scratch.outputs.size() != 1 || scratch.outputs[0].size() != pre_exp.size_bytes()) {
    return backend_error("the device gave back no {} probabilities; try another device", n);
  }
  probabilities.resize(n);
  std::memcpy(probabilities.data(), scratch.outputs[0].data(), pre_exp.size_bytes());
  return {};
}

Expected<std::vector<std::uint32_t>> pick_config_pre_exp_fixed_via(
    backend::Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp) {
  PickScratch scratch;
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(pick_config_pre_exp_fixed_via(dispatcher, pre_exp, scratch, out));
  return out;
}

}  // namespace vyre::substrate
