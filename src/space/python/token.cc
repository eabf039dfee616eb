#include "space/python/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "space/python/python_literal.h"

namespace vyre::space::detail {
namespace {

constexpr std::array<std::string_view, 8> kWords = {"and", "or",   "not", "in",
                                                    "if",  "else", "for", "is"};

// Longest first, so that "//" is not read as two divisions.
constexpr std::array<std::string_view, 27> kSymbols = {
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "&",
    "|",  "^",  "~",  "<",  ">",  "(",  ")",  "[",  "]", ",", ":", ".", "="};

// Characters that expressions do not have, with advice for the message.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kHints = {{
    {"&&", "write \"and\""},
    {"||", "write \"or\""},
    {"!", "write \"not\""},
    {"?", "write \"x if condition else y\""},
    {"#", "comments are not part of an expression"},
}};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_name_byte(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;  // Python allows letters of any script
}

std::unexpected<Fault> fault(std::size_t offset, std::size_t length, std::string problem) {
  return std::unexpected(Fault{std::move(problem), {offset, length}});
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Parsed<std::vector<Token>> run() {
    std::vector<Token> tokens;
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      auto token = next();
      if (!token) return std::unexpected(std::move(token).error());
      tokens.push_back(*std::move(token));
      if (tokens.back().kind == TokenKind::end) return tokens;
    }
  }

 private:
  Parsed<Token> next() {
    if (at_ == text_.size()) return make(TokenKind::end, 0);
    const char c = text_[at_];
    const bool leading_dot = c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_digit(c) || leading_dot) return number();
    if (c == '"' || c == '\'') return literal(read_text(text_.substr(at_)));
    if (is_name_byte(c)) return name();
    return symbol();
  }

  Token make(TokenKind kind, std::size_t length) {
    Token token{kind, {at_, length}, text_.substr(at_, length), {}};
    at_ += length;
    return token;
  }

  Parsed<Token> literal(const PythonLiteral& read) {
    if (!read.problem.empty()) return fault(at_ + read.problem_offset, 1, read.problem);
    Token token = make(TokenKind::text, read.length);
    token.value = read.value;
    return token;
  }

  Parsed<Token> number() {
    std::size_t end = at_;
    while (end < text_.size() && continues_number(end)) ++end;
    const std::string_view spelling = text_.substr(at_, end - at_);
    if (is_two_to_63(spelling)) return make(TokenKind::too_big, spelling.size());
    PythonLiteral read = read_number(spelling);
    if (!read.problem.empty()) return fault(at_, spelling.size(), read.problem);
    Token token = make(TokenKind::number, spelling.size());
    token.value = std::move(read.value);
    return token;
  }

  // Letters too, so that "12abc" is one bad number; a sign only after a decimal exponent's e.
  bool continues_number(std::size_t i) const {
    const char c = text_[i];
    if (is_name_byte(c) || c == '.') return true;
    const bool hexadecimal = text_.size() > at_ + 1 && (text_[at_ + 1] | 0x20) == 'x';
    return (c == '+' || c == '-') && i > at_ && (text_[i - 1] | 0x20) == 'e' && !hexadecimal;
  }

  Parsed<Token> name() {
    std::size_t end = at_;
    while (end < text_.size() && is_name_byte(text_[end])) ++end;
    const std::string_view spelling = text_.substr(at_, end - at_);
    const bool reserved = std::ranges::find(kWords, spelling) != kWords.end();
    return make(reserved ? TokenKind::symbol : TokenKind::name, spelling.size());
  }

  Parsed<Token> symbol() {
    const std::string_view rest = text_.substr(at_);
    for (const auto& [wrong, advice] : kHints) {
      if (rest.starts_with(wrong) && !rest.starts_with("!=")) {
        return fault(at_, wrong.size(), fmt::format("{} is not Python: {}", wrong, advice));
      }
    }
    for (const std::string_view known : kSymbols) {
      if (rest.starts_with(known)) return make(TokenKind::symbol, known.size());
    }
    return fault(at_, 1, fmt::format("{} has no meaning here", quote(rest.substr(0, 1))));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Parsed<std::vector<Token>> tokenize(std::string_view text) { return Tokenizer(text).run(); }

}  // namespace vyre::space::detail
