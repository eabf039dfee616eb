#include "testing/oracles/tt_contract.h"

#include <algorithm>

namespace vyre::testing {

std::vector<std::uint32_t> tt_contract_step(std::span<const std::uint32_t> acc,
                                            std::span<const std::uint32_t> core) {
  constexpr std::uint64_t most = 0xffffffffU;
  const std::size_t r_next = core.size() / acc.size();
  std::vector<std::uint32_t> out;
  for (std::size_t b = 0; b < r_next; ++b) {
    std::uint64_t sum = 0;
    for (std::size_t a = 0; a < acc.size(); ++a) {
      const std::uint64_t term = (std::uint64_t{acc[a]} * core[a * r_next + b]) >> 16U;
      sum = std::min(most, sum + std::min(most, term));
    }
    out.push_back(static_cast<std::uint32_t>(sum));
  }
  return out;
}

}  // namespace vyre::testing
