// Comparing a product of integers with a power of a double, without rounding.

#pragma once

#include <cstdint>
#include <span>

namespace vyre::substrate {

// Whether the product of the factors above 0 is at most threshold^power. At least one such factor,
// power at least 1; the threshold is finite and above 0. Takes time in proportion to the number of
// factors, or to its square where product and power are nearly equal.
bool product_is_at_most_power(std::span<const std::uint64_t> factors, double threshold,
                              std::uint64_t power);

}  // namespace vyre::substrate
