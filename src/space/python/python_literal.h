// Numbers and texts as Python writes them, in expressions and as arguments of int() and float().

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "vyre/config.h"

namespace vyre::space::detail {

struct PythonLiteral {
  Value value;
  std::size_t length = 0;  // of what was read
  std::string problem;     // empty: it was read
  std::size_t problem_offset = 0;
};

// All of `spelling` is one number: 12, 1_000, 0xff, .5, 1e-3.
PythonLiteral read_number(std::string_view spelling);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 9223372036854775808, which is fine only with a minus before it.
bool is_two_to_63(std::string_view spelling);

// A quoted text at the start of `rest`.
PythonLiteral read_text(std::string_view rest);

// Digits with point and exponent, no sign before; huge ones are infinity, tiny ones zero.
std::optional<double> read_decimal(std::string_view digits);

// The argument of int() and float(): spaces around it, a sign, underscores between digits.
std::optional<std::int64_t> int_from_text(std::string_view text, bool& too_big);
std::optional<double> float_from_text(std::string_view text);

}  // namespace vyre::space::detail
