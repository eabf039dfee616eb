// The exact results of natural_gradient_block_apply and its signed twin, in plain C++. Only tests
// link this.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vyre::testing {

// m has grad.size() squared elements, row by row.
std::vector<std::uint32_t> natural_gradient_block_apply(std::span<const std::uint32_t> m,
                                                        std::span<const std::uint32_t> grad);
std::vector<std::int32_t> natural_gradient_block_apply(std::span<const std::int32_t> m,
                                                       std::span<const std::int32_t> grad);

}  // namespace vyre::testing
