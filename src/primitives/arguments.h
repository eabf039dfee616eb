// Sizes that primitives are built for: checked once, refused by name.

#pragma once

#include <cstdint>
#include <string_view>

#include "vyre/error.h"

namespace vyre::primitives {

inline constexpr std::uint32_t kWorkgroup = 256;
inline constexpr std::uint32_t kRowGroup = 32;  // where every invocation takes a row of its own

// `elements` of a 4-byte type in a buffer: at least one, and their bytes fit a u32. `primitive` and
// `argument` are for the message, for example "softmax_step" and "n".
Expected<void> check_elements(std::string_view primitive, std::string_view argument,
                              std::uint64_t elements);

}  // namespace vyre::primitives
