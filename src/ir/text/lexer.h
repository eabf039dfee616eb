// The words of the text form.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vyre::ir {

enum class TokenKind : std::uint8_t {
  end,
  word,          // names and keywords
  number,        // with its suffix, without a sign; possibly malformed
  string,        // with its quotes
  punctuation,   // operators too
  unterminated,  // a string without its closing quote
  stray,         // a character that the language does not have
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint32_t line = 1;
  std::uint32_t column = 1;  // in bytes

  bool is(std::string_view what) const {
    return (kind == TokenKind::punctuation || kind == TokenKind::word) && text == what;
  }
};

// How a message names it: '}', "foo", the end of the text.
std::string describe(const Token& token);

// Cuts any bytes into tokens, skipping space and `//` comments. The text must outlive the tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  void skip_space();
  std::size_t string_length() const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace vyre::ir
