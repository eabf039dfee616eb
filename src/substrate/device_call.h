// What the `_via` functions share: a program kept in scratch, one dispatch, outputs of known sizes.

#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "base/error.h"
#include "vyre/substrate/pick.h"

namespace vyre::substrate {

// Has the program for sizes n and k in the scratch: that of the last call, or a new one.
template <class Build>
Expected<void> keep_program(ProgramScratch& scratch, std::uint32_t n, std::uint32_t k,
                            const Build& build) {
  if (scratch.program && scratch.n == n && scratch.k == k) return {};
  VYRE_TRY(scratch.program, build());
  scratch.n = n;
  scratch.k = k;
  return {};
}

// A grid of one-dimensional primitives.
inline Extent grid_for(std::uint32_t n) { return {ceil_div(n, 256), 1, 1}; }

// Output `index` of the last dispatch as `count` elements of T. `what` is for the message.
template <class T>
Expected<void> take_output(const ProgramScratch& scratch, std::size_t index, std::size_t count,
                           std::string_view what, std::vector<T>& out) {
  const Outputs& outputs = scratch.outputs;
  if (outputs.size() <= index || outputs[index].size() != count * sizeof(T)) {
    return backend_error("the device gave back no {} of {} elements; try another device", what,
                         count);
  }
  out.resize(count);
  if (count != 0) std::memcpy(out.data(), outputs[index].data(), count * sizeof(T));
  return {};
}

// The shared halves of public functions, which do not count.
Expected<void> pick_fixed(Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
                          PickScratch& scratch, std::vector<std::uint32_t>& probabilities);

// n above 0 numbers, n * n cells; both countable in a u32.
Expected<void> check_block(std::string_view what, std::size_t cells, std::size_t numbers,
                           std::size_t n);

}  // namespace vyre::substrate
