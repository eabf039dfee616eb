// Constants and quoted names as text, both ways.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/program.h"

namespace vyre::ir {

struct TypedBits {
  Scalar type = Scalar::u32;
  std::uint64_t bits = 0;
};

// "3u", "-3i", "3ul", "-3l", "1.5f", "true": the shortest text that reads back as the same bits.
// Infinities, NaNs and bits beyond the type have no such text: "f32(0x7fc00000)".
std::string print_literal(Scalar type, std::uint64_t bits);

// A number with its suffix, in decimal or hexadecimal, with or without a minus in front; none if it
// is malformed or does not fit its type.
std::optional<TypedBits> parse_number(std::string_view text);

// "0x7fc00000", without a suffix, as in f32(0x7fc00000).
std::optional<std::uint64_t> parse_bits(std::string_view text);

// In double quotes; quotes, backslashes and control characters escaped as \x0a.
std::string print_string(std::string_view text);

// The text between the quotes, with escapes resolved; none if an escape is malformed.
std::optional<std::string> parse_string(std::string_view text);

}  // namespace vyre::ir
