// The parts that `_via` functions have in common: a program kept in scratch, one dispatch, outputs
// of known sizes. None of them counts calls.

#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "base/error.h"
#include "vyre/substrate/pick.h"

namespace vyre::substrate {

// Puts the program called `name` for sizes n and k into the scratch, unless it is there already. A
// scratch that held another program, or one of other sizes, gets a new one.
template <class Build>
Expected<void> keep_program(ProgramScratch& scratch, std::string_view name, std::uint32_t n,
                            std::uint32_t k, const Build& build) {
  if (scratch.program && scratch.n == n && scratch.k == k && scratch.program->def().name == name) {
    return {};
  }
  VYRE_TRY(scratch.program, build());
  scratch.n = n;
  scratch.k = k;
  return {};
}

// The grid of a one-dimensional primitive for n results.
inline Extent grid_for(std::uint32_t n) { return {ceil_div(n, 256), 1, 1}; }

// Copies output `index` of a dispatch, `count` elements of T. `what` names it in the message.
template <class T>
Expected<void> take_output(const Outputs& outputs, std::size_t index, std::size_t count,
                           std::string_view what, std::vector<T>& out) {
  if (outputs.size() <= index || outputs[index].size() != count * sizeof(T)) {
    return backend_error("the device gave back no {} of {} elements; try another device", what,
                         count);
  }
  out.resize(count);
  if (count != 0) std::memcpy(out.data(), outputs[index].data(), count * sizeof(T));
  return {};
}

// Checks that a matrix has n * n cells and a vector n numbers, n above 0 and countable in a u32.
// `what` names the matrix in the message.
Expected<void> check_block(std::string_view what, std::size_t cells, std::size_t numbers,
                           std::size_t n);

// softmax_step of the weights.
Expected<void> pick_fixed(Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
                          ProgramScratch& scratch, std::vector<std::uint32_t>& probabilities);

// natural_gradient_block_apply, or its signed twin, of a matrix that check_block has seen.
Expected<void> apply_fixed(Dispatcher& dispatcher, std::span<const std::uint32_t> m,
                           std::span<const std::uint32_t> grad, ProgramScratch& scratch,
                           std::vector<std::uint32_t>& out);
Expected<void> apply_fixed(Dispatcher& dispatcher, std::span<const std::int32_t> m,
                           std::span<const std::int32_t> grad, ProgramScratch& scratch,
                           std::vector<std::int32_t>& out);

}  // namespace vyre::substrate
