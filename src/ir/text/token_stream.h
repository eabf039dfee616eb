// The parser's place in the text: two tokens of lookahead, and errors that say where.

#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "ir/text/lexer.h"

namespace vyre::ir {

// "line 3, column 7: ..."
template <class... Args>
std::unexpected<Error> error_at(const Token& token, fmt::format_string<Args...> format,
                                Args&&... args) {
  return bad_inputs("line {}, column {}: {}", token.line, token.column,
                    fmt::format(format, std::forward<Args>(args)...));
}

class TokenStream {
 public:
  explicit TokenStream(std::string_view text)
      : lexer_(text), token_(lexer_.next()), following_(lexer_.next()) {}

  const Token& peek() const { return token_; }
  const Token& following() const { return following_; }

  Token take() { return std::exchange(token_, std::exchange(following_, lexer_.next())); }

  bool take_if(std::string_view text) {
    if (!token_.is(text)) return false;
    take();
    return true;
  }

  // The token, if it is this word or punctuation.
  Expected<Token> expect(std::string_view text);
  // A name that is not reserved and not too long; `what` is "the name of a buffer".
  Expected<std::string> expect_name(std::string_view what);
  // A string in quotes, its escapes resolved.
  Expected<std::string> expect_string(std::string_view what);
  // A whole number without a suffix.
  Expected<std::uint32_t> expect_count(std::string_view what);

  // "expected ..., found ...", here.
  std::unexpected<Error> expected(std::string_view what) const {
    return error_at(token_, "expected {}, found {}", what, describe(token_));
  }

 private:
  Lexer lexer_;
  Token token_;
  Token following_;
};

}  // namespace vyre::ir
