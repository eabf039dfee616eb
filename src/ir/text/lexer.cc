#include "ir/text/lexer.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace vyre::ir {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// Tokens of two characters come first, so that the longest match wins.
constexpr std::array<std::string_view, 31> kPunctuation{
    "<<", ">>", "==", "!=", "<=", ">=", "..", "{", "}", "(", ")", "[", "]", ",", ";", ":",
    "=",  ".",  "+",  "-",  "*",  "/",  "%",  "&", "|", "^", "<", ">", "~", "!", "?"};

std::size_t count_while(std::string_view text, bool (*predicate)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, predicate) - text.begin());
}

// Digits, letters, a point before a digit, a sign in an exponent. The parser decides whether they
// are a number.
std::size_t number_length(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const auto goes_on = [&](std::size_t i) {
    if (is_word(text[i])) return true;
    if (hexadecimal) return false;
    if (text[i] == '.') return i + 1 < text.size() && is_digit(text[i + 1]);
    const bool sign = text[i] == '+' || text[i] == '-';
    return sign && (text[i - 1] == 'e' || text[i - 1] == 'E');
  };
  std::size_t length = 1;
  while (length < text.size() && goes_on(length)) ++length;
  return length;
}

}  // namespace

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the text";
    case TokenKind::punctuation:
      return "'" + std::string(token.text) + "'";
    case TokenKind::unterminated:
      return "a string without its closing quote";
    default:
      return quote(token.text);
  }
}

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    } else if (text_.substr(at_).starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      continue;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
    ++at_;
  }
}

// The length of the string that begins here, with its quotes; 0 if the string does not end on this
// line.
std::size_t Lexer::string_length() const {
  for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '"') return i + 1 - at_;
    if (text_[i] == '\\') ++i;
  }
  return 0;
}

Token Lexer::next() {
  skip_space();
  Token token{TokenKind::end, {}, line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
  if (at_ == text_.size()) return token;
  const std::string_view rest = text_.substr(at_);
  const auto punctuation = std::ranges::find_if(
      kPunctuation, [&](std::string_view candidate) { return rest.starts_with(candidate); });
  std::size_t length = 0;
  if (is_digit(rest[0])) {
    token.kind = TokenKind::number;
    length = number_length(rest);
  } else if (is_word(rest[0])) {
    token.kind = TokenKind::word;
    length = count_while(rest, is_word);
  } else if (rest[0] == '"') {
    length = string_length();
    token.kind = length > 0 ? TokenKind::string : TokenKind::unterminated;
    length = std::max<std::size_t>(length, 1);
  } else if (punctuation != kPunctuation.end()) {
    token.kind = TokenKind::punctuation;
    length = punctuation->size();
  } else {
    token.kind = TokenKind::stray;
    length = 1 + count_while(rest.substr(1, 3), is_continuation);
  }
  token.text = rest.substr(0, length);
  at_ += length;
  return token;
}

}  // namespace vyre::ir
