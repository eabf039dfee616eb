// Sizes that primitives have in common, and the check of those that a caller gives.

#pragma once

#include <cstdint>
#include <string_view>

#include "vyre/error.h"

namespace vyre::primitives {

inline constexpr std::uint32_t kWorkgroup = 256;
inline constexpr std::uint32_t kRowGroup = 32;  // for programs whose invocations take a row each

// Checks a number of elements of a 4-byte type: at least one, and their bytes fit in a u32.
// `primitive` and `argument` are for the message, for example "softmax_step" and "n".
Expected<void> check_elements(std::string_view primitive, std::string_view argument,
                              std::uint64_t elements);

}  // namespace vyre::primitives
