#include "fake_cuda/driver/ptx_lexer.h"

#include <bit>
#include <cctype>
#include <charconv>

namespace fake_cuda {
namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

bool in_word(char c) { return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    while (true) {
      FAKE_CUDA_TRY_VOID(skip_blanks());
      if (at_ == text_.size()) break;
      FAKE_CUDA_TRY(Token token, next());
      tokens.push_back(token);
    }
    tokens.push_back({TokenKind::kEnd, {}, 0, line_});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  Result<void> skip_blanks() {
    while (at_ < text_.size()) {
      if (peek() == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return wrong_at(line_, "a comment has no end");
        for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
      } else if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        line_ += peek() == '\n' ? 1 : 0;
        ++at_;
      } else {
        break;
      }
    }
    return {};
  }

  Result<Token> next() {
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0) return number();
    if (starts_word(peek())) return word();
    if (peek() == '"') return string();
    return taken(TokenKind::kMark, 1, 0);
  }

  Token taken(TokenKind kind, std::size_t length, std::uint64_t bits) {
    const Token token{kind, text_.substr(at_, length), bits, line_};
    at_ += length;
    return token;
  }

  // A single colon ends a label; a double one is part of a modifier, as in ".shared::cta".
  Token word() {
    std::size_t length = 1;
    while (true) {
      if (in_word(peek(length))) {
        ++length;
      } else if (peek(length) == ':' && peek(length + 1) == ':' && in_word(peek(length + 2))) {
        length += 2;
      } else {
        return taken(TokenKind::kWord, length, 0);
      }
    }
  }

  Result<Token> string() {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) return wrong_at(line_, "a string has no end");
    return taken(TokenKind::kString, end + 1 - at_, 0);
  }

  Result<Token> number() {
    std::size_t length = 1;
    while (in_word(peek(length)) ||
           ((peek(length) == '-' || peek(length) == '+') && is_decimal_exponent(length))) {
      ++length;
    }
    const std::string_view digits = text_.substr(at_, length);
    const char second = digits.size() > 1 ? digits[1] : '\0';
    const bool zero = digits[0] == '0';
    if (zero && (second == 'f' || second == 'F')) return based(digits, 2, 16, TokenKind::kFloat);
    if (zero && (second == 'd' || second == 'D')) return based(digits, 2, 16, TokenKind::kDouble);
    if (zero && (second == 'x' || second == 'X')) return based(digits, 2, 16, TokenKind::kInteger);
    if (zero && (second == 'b' || second == 'B')) return based(digits, 2, 2, TokenKind::kInteger);
    if (digits.find_first_of(".eE") != std::string_view::npos) return decimal_fraction(digits);
    if (zero && digits.size() > 1) return based(digits, 1, 8, TokenKind::kInteger);
    return based(digits, 0, 10, TokenKind::kInteger);
  }

  bool is_decimal_exponent(std::size_t length) const {
    const char before = peek(length - 1);
    return (before == 'e' || before == 'E') && peek(1) != 'x' && peek(1) != 'X' && peek(1) != 'f' &&
           peek(1) != 'F' && peek(1) != 'd' && peek(1) != 'D';
  }

  Result<Token> based(std::string_view digits, std::size_t skip, int base, TokenKind kind) {
    std::string_view rest = digits.substr(skip);
    if (kind == TokenKind::kInteger && (rest.ends_with('U') || rest.ends_with('u'))) {
      rest.remove_suffix(1);
    }
    std::uint64_t bits = 0;
    const char* end = rest.data() + rest.size();
    if (rest.empty()) return taken(kind, digits.size(), 0);  // "0U"
    const auto [stop, failed] = std::from_chars(rest.data(), end, bits, base);
    if (failed != std::errc() || stop != end) {
      return wrong_at(line_, "'" + std::string(digits) + "' is no number");
    }
    return taken(kind, digits.size(), bits);
  }

  Result<Token> decimal_fraction(std::string_view digits) {
    double value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, failed] = std::from_chars(digits.data(), end, value);
    if (failed != std::errc() || stop != end) {
      return wrong_at(line_, "'" + std::string(digits) + "' is no number");
    }
    return taken(TokenKind::kDouble, digits.size(), std::bit_cast<std::uint64_t>(value));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

Result<std::vector<Token>> tokens_of(std::string_view text) { return Lexer(text).run(); }

}  // namespace fake_cuda
