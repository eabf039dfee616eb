// TokenCursor: the parser's place among the tokens of one expression.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "space/python/token.h"

namespace vyre::space::detail {

class TokenCursor {
 public:
  // The last token is of kind `end`.
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek() const { return tokens_[at_]; }
  // Only where the next token is not the last.
  const Token& following() const { return tokens_[at_ + 1]; }
  // The token taken last; the first one if none has been.
  const Token& previous() const { return tokens_[at_ == 0 ? 0 : at_ - 1]; }
  void take() { ++at_; }
  bool at(std::string_view symbol) const {
    return peek().kind == TokenKind::symbol && peek().spelling == symbol;
  }
  bool take(std::string_view symbol) {
    if (!at(symbol)) return false;
    ++at_;
    return true;
  }

  // A fault at the next token.
  std::unexpected<Fault> fault(std::string problem) const {
    return std::unexpected(Fault{std::move(problem), peek().where});
  }
  std::unexpected<Fault> unexpected_token() const;
  Parsed<void> expect(std::string_view symbol);

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace vyre::space::detail
