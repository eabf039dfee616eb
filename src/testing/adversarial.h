// Random numbers of which many are the ones that break things: 0, 1, the largest, one in Q16.

#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace vyre::testing {

using Random = std::mt19937_64;

// Half of them special, the others of all magnitudes. T: u32, or i32 with signs.
template <class T>
std::vector<T> adversarial(Random& random, std::size_t count) {
  constexpr std::array<std::uint32_t, 8> special{0,     1,           65535,       65536,
                                                 65537, 0x7fffffffU, 0x80000000U, 0xffffffffU};
  std::vector<T> out(count);
  for (T& x : out) {
    const std::uint64_t bits = random();
    x = (bits & 1) == 0
            ? static_cast<T>(special[(bits >> 1) % special.size()])
            : static_cast<T>(static_cast<std::uint32_t>(bits >> 32) >> (bits >> 1) % 32);
  }
  return out;
}

// Sizes from 1 to `most`: each end, what surrounds workgroups and thresholds, the rest at random.
inline std::vector<std::uint32_t> sizes_up_to(Random& random, std::uint32_t most,
                                              std::uint32_t random_ones) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t n :
       {1U, 2U, 3U, 255U, 256U, 257U, 1023U, 1024U, 1027U, 4095U, 4096U, 4097U, 5000U}) {
    if (n <= most) out.push_back(n);
  }
  for (std::uint32_t k = 0; k < random_ones; ++k) {
    out.push_back(static_cast<std::uint32_t>(1 + random() % most));
  }
  return out;
}

}  // namespace vyre::testing
