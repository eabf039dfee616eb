#include <array>
#include <limits>

#include "substrate/device_call.h"
#include "substrate/modules.h"
#include "vyre/substrate/primitives.h"

namespace vyre::substrate {

using Weights = std::span<const std::uint32_t>;

Expected<void> pick_fixed(Dispatcher& dispatcher, Weights pre_exp, PickScratch& scratch,
                          std::vector<std::uint32_t>& probabilities) {
  if (pre_exp.empty() || pre_exp.size() > std::numeric_limits<std::uint32_t>::max()) {
    return bad_inputs("pre_exp has {} weights; give 1 to 2^32 - 1 candidates", pre_exp.size());
  }
  const auto n = static_cast<std::uint32_t>(pre_exp.size());
  VYRE_TRY_VOID(keep_program(scratch, n, 0, [n] { return primitives::softmax_step(n); }));
  const std::array<Input, 1> inputs{std::as_bytes(pre_exp)};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, {.inputs = inputs, .grid = grid_for(n)},
                                    scratch.outputs));
  return take_output(scratch, 0, n, "vector of probabilities", probabilities);
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
  gradient.clear();
  // At most ONE each.
  for (const std::uint32_t p : scratch.probabilities) {
    gradient.push_back(-static_cast<std::int32_t>(p));
  }
  return {};
}

Expected<std::vector<std::int32_t>> config_gradient_pre_exp_fixed_signed_via(Dispatcher& dispatcher,
                                                                             Weights pre_exp) {
  SignedPickScratch scratch;
  std::vector<std::int32_t> out;
  VYRE_TRY_VOID(config_gradient_pre_exp_fixed_signed_via(dispatcher, pre_exp, scratch, out));
  return out;
}

}  // namespace vyre::substrate
