// Loops over the lanes of a workgroup, in the form that compilers vectorise.

#pragma once

#include <cstdint>
#include <type_traits>

#include "backend/reference/machine.h"

namespace vyre::backend::reference {

// A boolean takes a whole u32 in a register: masks and conditions have the width of the data they
// steer, and comparing needs no packing.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint32_t, T>;

// Two operands are the same array or disjoint, so a lane never depends on another one. The pragma
// promises this to GCC; clang checks it at run time.
template <class F>
void for_lanes(const Machine& m, F f) {
  const std::uint32_t n = m.blocks * kLaneBlock;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::uint32_t l = 0; l < n; ++l) f(l);
}

// Whether f(l) holds for any lane. Calls f for all of them.
template <class F>
bool any_lane(const Machine& m, F f) {
  const std::uint32_t n = m.blocks * kLaneBlock;
  std::uint32_t any = 0;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::uint32_t l = 0; l < n; ++l) any |= f(l);
  return any != 0;
}

}  // namespace vyre::backend::reference
