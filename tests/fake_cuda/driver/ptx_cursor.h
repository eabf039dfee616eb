// Cursor: a place in a list of tokens, with the few questions that a parser asks.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fake_cuda/driver/ptx_lexer.h"

namespace fake_cuda {

class Cursor {
 public:
  // `tokens` ends with kEnd and outlives this.
  explicit Cursor(std::span<const Token> tokens) : tokens_(tokens) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  int line() const { return peek().line; }
  bool at_end() const { return peek().kind == TokenKind::kEnd; }

  bool is(std::string_view text) const {
    return peek().text == text && peek().kind != TokenKind::kString && !at_end();
  }
  bool take_if(std::string_view text) {
    if (!is(text)) return false;
    take();
    return true;
  }
  bool is_directive() const {
    return peek().kind == TokenKind::kWord && peek().text.starts_with('.');
  }

  Result<void> expect(std::string_view text) {
    if (take_if(text)) return {};
    return wrong_at(
        line(), "expected '" + std::string(text) + "' before '" + std::string(peek().text) + "'");
  }
  Result<std::string> word() {
    if (peek().kind == TokenKind::kWord) return std::string(take().text);
    return wrong_at(line(), "expected a name before '" + std::string(peek().text) + "'");
  }
  Result<std::uint64_t> integer() {
    if (peek().kind == TokenKind::kInteger) return take().bits;
    return wrong_at(line(), "expected a number before '" + std::string(peek().text) + "'");
  }

  // .loc and .file end with their line.
  void skip_line() {
    const int here = line();
    while (!at_end() && line() == here) take();
  }
  void skip_statement() {
    while (!at_end() && !is(";")) take();
    take();
  }

 private:
  std::span<const Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace fake_cuda
