#include "testing/oracles/softmax.h"

#include <algorithm>

namespace vyre::testing {

std::vector<std::uint32_t> softmax_step(std::span<const std::uint32_t> pre_exp) {
  std::uint64_t sum = 0;
  for (const std::uint64_t weight : pre_exp) sum += weight;
  sum = std::max<std::uint64_t>(sum, 1);
  std::vector<std::uint32_t> out;
  out.reserve(pre_exp.size());
  for (const std::uint64_t weight : pre_exp) {
    out.push_back(static_cast<std::uint32_t>((weight << 16) / sum));
  }
  return out;
}

}  // namespace vyre::testing
