// Constants as C-like source, exact to the bit.

#pragma once

#include <cstdint>

#include "emit/c_like/text.h"
#include "vyre/program.h"

namespace vyre::emit {

// u32 "3u", i32 "3", u64 "3ul", i64 "3l", bool "true". f32: decimal where that is the exact value
// ("1.5f"), else hexadecimal with the decimal in a comment; what is not finite is
// "as_float(0x7fc00000u)", which every language of the family has or can define.
Text literal(ir::Scalar type, std::uint64_t bits);

}  // namespace vyre::emit
