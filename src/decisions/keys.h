// How v2 keys are made. Inline, because a function call would cost as much as the work.

#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "vyre/decisions.h"

namespace vyre {

// One odd multiplier per word, so that the four words are mixed independently.
inline constexpr std::array<std::uint64_t, 4> kMultipliers{
    0x9e3779b97f4a7c15ULL, 0xbf58476d1ce4e5b9ULL, 0x94d049bb133111ebULL, 0xd6e8feb86659fd93ULL};

// A bijection: two words that differ stay different.
constexpr std::uint64_t mixed(std::uint64_t word, std::uint64_t multiplier) {
  word *= multiplier;
  return word ^ (word >> 32U);
}

// Mixes every number of the shape, and their count, into each of the fingerprint's four words. The
// words are four variables, not an array: compilers turn an array into vectors and back, and a load
// of a whole that was stored in parts waits for the store (12 ns of 25).
inline Key mixed_key(const ir::Fingerprint& fingerprint, std::span<const std::uint64_t> shape) {
  auto [a, b, c, d] = std::bit_cast<std::array<std::uint64_t, 4>>(fingerprint);
  const std::uint64_t length = std::uint64_t{shape.size()} << 56U;
  for (const std::uint64_t number : shape) {
    const std::uint64_t next = number ^ length;
    a = mixed(a ^ next, kMultipliers[0]);
    b = mixed(b ^ next, kMultipliers[1]);
    c = mixed(c ^ next, kMultipliers[2]);
    d = mixed(d ^ next, kMultipliers[3]);
  }
  return {.version = 2, .words = {a, b, c, d}};
}

}  // namespace vyre
