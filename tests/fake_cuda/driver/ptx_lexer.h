// PTX text as tokens.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fake_cuda/driver/result.h"

namespace fake_cuda {

enum class TokenKind : std::uint8_t {
  kWord,  // names, registers, opcodes with their modifiers, directives: "add.s32", "%tid.x", ".reg"
  kInteger,  // bits
  kFloat,    // 0f3F800000: bits are a float's
  kDouble,   // 0d3FF0000000000000 or 1.5: bits are a double's
  kString,
  kMark,  // one character
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  std::uint64_t bits = 0;
  int line = 0;
};

// The last token is kEnd. Tokens point into `text`.
Result<std::vector<Token>> tokens_of(std::string_view text);

}  // namespace fake_cuda
