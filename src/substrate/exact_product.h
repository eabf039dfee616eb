// Comparing a product of integers with a power of a double, without rounding.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vyre::substrate {

// Whether the product of the factors above 0 is at most threshold^power. The threshold is finite
// and above 0, and the power is at least 1. The time grows in proportion to the number of factors
// and the power. `limbs` is working space: a call that finds enough capacity there allocates
// nothing.
bool product_is_at_most_power(std::span<const std::uint64_t> factors, double threshold,
                              std::uint64_t power, std::vector<std::uint64_t>& limbs);

}  // namespace vyre::substrate
