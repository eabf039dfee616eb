#include "testing/oracles/matvec.h"

#include <algorithm>
#include <limits>

namespace vyre::testing {
namespace {

template <class Wide, class Narrow>
std::vector<Narrow> product(std::span<const Narrow> m, std::span<const Narrow> grad) {
  const std::size_t n = grad.size();
  std::vector<Narrow> out;
  for (std::size_t i = 0; i < n; ++i) {
    Wide sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      sum += (static_cast<Wide>(m[i * n + j]) * static_cast<Wide>(grad[j])) >> 16U;
    }
    out.push_back(static_cast<Narrow>(std::clamp<Wide>(sum, std::numeric_limits<Narrow>::min(),
                                                       std::numeric_limits<Narrow>::max())));
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> natural_gradient_block_apply(std::span<const std::uint32_t> m,
                                                        std::span<const std::uint32_t> grad) {
  return product<std::uint64_t>(m, grad);
}

std::vector<std::int32_t> natural_gradient_block_apply(std::span<const std::int32_t> m,
                                                       std::span<const std::int32_t> grad) {
  return product<std::int64_t>(m, grad);
}

}  // namespace vyre::testing
