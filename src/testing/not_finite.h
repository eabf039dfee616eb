// The doubles that are not numbers one can count with, for tests of what such values do.

#pragma once

#include <limits>

namespace vyre::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace vyre::testing
