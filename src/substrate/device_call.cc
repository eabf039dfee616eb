#include "substrate/device_call.h"

#include <array>
#include <limits>
#include <type_traits>

#include "vyre/substrate/primitives.h"

namespace vyre::substrate {
namespace {

template <class T>
Expected<void> apply_block(Dispatcher& dispatcher, std::span<const T> m, std::span<const T> grad,
                           ProgramScratch& scratch, std::vector<T>& out) {
  constexpr bool is_signed = std::is_signed_v<T>;
  constexpr std::string_view name =
      is_signed ? "natural_gradient_block_apply_signed" : "natural_gradient_block_apply";
  const auto n = static_cast<std::uint32_t>(grad.size());
  VYRE_TRY_VOID(keep_program(scratch, name, n, 0, [n] {
    return is_signed ? primitives::natural_gradient_block_apply_signed(n)
                     : primitives::natural_gradient_block_apply(n);
  }));
  const std::array<Input, 2> inputs{std::as_bytes(m), std::as_bytes(grad)};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, {.inputs = inputs, .grid = grid_for(n)},
                                    scratch.outputs));
  return take_output(scratch.outputs, 0, n, "gradient", out);
}

}  // namespace

Expected<void> check_block(std::string_view what, std::size_t cells, std::size_t numbers,
                           std::size_t n) {
  const bool square = n != 0 && cells / n == n && cells % n == 0;
  if (square && numbers == n && n <= std::numeric_limits<std::uint32_t>::max()) return {};
  return bad_inputs(
      "the {} has {} elements for {} numbers and n = {}; give n * n of them for n, n "
      "above 0",
      what, cells, numbers, n);
}

Expected<void> pick_fixed(Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
                          ProgramScratch& scratch, std::vector<std::uint32_t>& probabilities) {
  if (pre_exp.empty() || pre_exp.size() > std::numeric_limits<std::uint32_t>::max()) {
    return bad_inputs("pre_exp has {} weights; give 1 to 2^32 - 1 candidates", pre_exp.size());
  }
  const auto n = static_cast<std::uint32_t>(pre_exp.size());
  VYRE_TRY_VOID(
      keep_program(scratch, "softmax_step", n, 0, [n] { return primitives::softmax_step(n); }));
  const std::array<Input, 1> inputs{std::as_bytes(pre_exp)};
  VYRE_TRY_VOID(dispatcher.dispatch(*scratch.program, {.inputs = inputs, .grid = grid_for(n)},
                                    scratch.outputs));
  return take_output(scratch.outputs, 0, n, "vector of probabilities", probabilities);
}

Expected<void> apply_fixed(Dispatcher& dispatcher, std::span<const std::uint32_t> m,
                           std::span<const std::uint32_t> grad, ProgramScratch& scratch,
                           std::vector<std::uint32_t>& out) {
  return apply_block(dispatcher, m, grad, scratch, out);
}

Expected<void> apply_fixed(Dispatcher& dispatcher, std::span<const std::int32_t> m,
                           std::span<const std::int32_t> grad, ProgramScratch& scratch,
                           std::vector<std::int32_t>& out) {
  return apply_block(dispatcher, m, grad, scratch, out);
}

}  // namespace vyre::substrate
