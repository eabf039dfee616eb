// Constants as C-like source, exact to the bit.

#pragma once

#include <cstdint>
#include <string_view>

#include "emit/c_like/spelling.h"
#include "vyre/program.h"

namespace vyre::emit {

// How a language writes constants.
struct LiteralSpelling {
  std::string_view u32 = "u";  // suffixes
  std::string_view u64 = "ul";
  std::string_view i64 = "l";
  std::string_view f32 = "f";
  bool hexadecimal_floats = true;
  std::string_view float_of_bits = "as_float($0)";  // of a u32
};

// In OpenCL C: u32 "3u", i32 "3", u64 "3ul", i64 "3l", bool "true". An f32 is decimal where that is
// the exact value ("1.5f"), and hexadecimal with the decimal in a comment elsewhere. An f32 that is
// not finite is made of its bits: "as_float(0x7fc00000u)".
Text literal(const LiteralSpelling& spelling, ir::Scalar type, std::uint64_t bits);

}  // namespace vyre::emit
