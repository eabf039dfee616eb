// Products of a matrix in fixed point with a gradient, given or that of a policy.

#include <array>
#include <limits>

#include "substrate/device_call.h"
#include "substrate/modules.h"
#include "vyre/substrate/natural_gradient.h"
#include "vyre/substrate/primitives.h"

namespace vyre::substrate {

using Weights = std::span<const std::uint32_t>;

Expected<void> check_block(std::string_view what, std::size_t cells, std::size_t numbers,
                           std::size_t n) {
  const bool square = n != 0 && cells / n == n && cells % n == 0;
  if (square && numbers == n && n <= std::numeric_limits<std::uint32_t>::max()) return {};
  return bad_inputs(
      "the {} has {} elements for {} numbers and n = {}; give n * n of them for n, n "
      "above 0",
      what, cells, numbers, n);
}

template <class T>
Expected<void> apply_fixed(Dispatcher& dispatcher, std::span<const T> m, std::span<const T> grad,
                           ProgramScratch& scratch, std::vector<T>& out) {
  constexpr bool is_signed = std::is_signed_v<T>;
  const auto n = static_cast<std::uint32_t>(grad.size());
  // One scratch serves both kinds, each with its own program.
  VYRE_TRY_VOID(keep_program(scratch, n, is_signed ? 1 : 0, [n] {
    return is_signed ? primitives::natural_gradient_block_apply_signed(n)
                     : primitives::natural_gradient_block_apply(n);
  }));
  const std::array<Input, 2> inputs{std::as_bytes(m), std::as_bytes(grad)};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, {.inputs = inputs, .grid = grid_for(n)},
                                    scratch.outputs));
  return take_output(scratch, 0, n, "gradient", out);
}

Expected<void> natural_config_gradient_magnitude_pre_exp_fixed_via(
    Dispatcher& dispatcher, Weights pre_exp, Weights m_inv_sqrt, NaturalScratch& scratch,
    std::vector<std::uint32_t>& gradient) {
  count(Module::differentiable_autotune);
  count(Module::natural_gradient_autotuner);
  VYRE_TRY_VOID(check_block("metric", m_inv_sqrt.size(), pre_exp.size(), pre_exp.size()));
  VYRE_TRY_VOID(pick_fixed(dispatcher, pre_exp, scratch.pick, scratch.probabilities));
  return apply_fixed<std::uint32_t>(dispatcher, m_inv_sqrt, scratch.probabilities, scratch.product,
                                    gradient);
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
  scratch.gradient.clear();
  for (const std::uint32_t p : scratch.probabilities) {
    scratch.gradient.push_back(-static_cast<std::int32_t>(p));
  }
  return apply_fixed<std::int32_t>(dispatcher, m_inv_sqrt, scratch.gradient, scratch.product,
                                   gradient);
}

Expected<std::vector<std::int32_t>> natural_config_gradient_pre_exp_fixed_signed_via(
    Dispatcher& dispatcher, Weights pre_exp, std::span<const std::int32_t> m_inv_sqrt) {
  NaturalScratch scratch;
  std::vector<std::int32_t> out;
  VYRE_TRY_VOID(natural_config_gradient_pre_exp_fixed_signed_via(dispatcher, pre_exp, m_inv_sqrt,
                                                                 scratch, out));
  return out;
}

Expected<void> precondition_autotune_gradient_fixed_via(Dispatcher& dispatcher, Weights m_q16,
                                                        Weights grad_q16, std::size_t n,
                                                        ProgramScratch& scratch,
                                                        std::vector<std::uint32_t>& out) {
  count(Module::natural_gradient_autotuner);
  VYRE_TRY_VOID(check_block("matrix", m_q16.size(), grad_q16.size(), n));
  return apply_fixed(dispatcher, m_q16, grad_q16, scratch, out);
}

Expected<std::vector<std::uint32_t>> precondition_autotune_gradient_fixed_via(
    Dispatcher& dispatcher, Weights m_q16, Weights grad_q16, std::size_t n) {
  ProgramScratch scratch;
  std::vector<std::uint32_t> out;
  VYRE_TRY_VOID(
      precondition_autotune_gradient_fixed_via(dispatcher, m_q16, grad_q16, n, scratch, out));
  return out;
}

Expected<void> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n, ProgramScratch& scratch,
    std::vector<std::int32_t>& out) {
  count(Module::natural_gradient_autotuner);
  VYRE_TRY_VOID(check_block("matrix", m_q16s.size(), grad_q16s.size(), n));
  return apply_fixed(dispatcher, m_q16s, grad_q16s, scratch, out);
}

Expected<std::vector<std::int32_t>> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n) {
  ProgramScratch scratch;
  std::vector<std::int32_t> out;
  VYRE_TRY_VOID(precondition_autotune_gradient_fixed_signed_via(dispatcher, m_q16s, grad_q16s, n,
                                                                scratch, out));
  return out;
}

}  // namespace vyre::substrate
