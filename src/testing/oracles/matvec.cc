#include "testing/oracles/matvec.h"

#include <algorithm>

namespace vyre::testing {

std::vector<std::uint32_t> natural_gradient_block_apply(std::span<const std::uint32_t> m,
                                                        std::span<const std::uint32_t> grad) {
  const std::size_t n = grad.size();
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += (std::uint64_t{m[i * n + j]} * std::uint64_t{grad[j]}) >> 16U;
    }
    out.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xffffffffU)));
  }
  return out;
}

}  // namespace vyre::testing
