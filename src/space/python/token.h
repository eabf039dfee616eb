// Tokens of an expression's text.

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/config.h"

namespace vyre::space::detail {

struct Range {
  std::size_t offset = 0;
  std::size_t length = 0;
};

// The problem of an expression, and its place in the text.
struct Fault {
  std::string problem;
  Range where;
};

template <class T>
using Parsed = std::expected<T, Fault>;

enum class TokenKind : std::uint8_t {
  number,
  text,
  name,
  symbol,   // operators, brackets, commas and the words Python reserves
  too_big,  // exactly 2^63: a number only after a minus
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  Range where;
  std::string_view spelling;  // part of the text
  Value value;                // of a number or text
};

// All of the text, a token of kind `end` last.
Parsed<std::vector<Token>> tokenize(std::string_view text);

}  // namespace vyre::space::detail
