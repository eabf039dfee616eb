#include "space/python/python_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/text.h"

namespace vyre::space::detail {
namespace {

bool is_alnum(char c) {
  const int lower = c | 0x20;
  return is_digit(c) || (lower >= 'a' && lower <= 'z');
}

// Python allows single underscores between digits, nowhere else. `after_prefix`: also first.
std::optional<std::string> without_underscores(std::string_view digits, bool after_prefix) {
  std::string out;
  char before = after_prefix ? '0' : '_';
  for (const char c : digits) {
    if (c == '_' && !is_alnum(before)) return std::nullopt;
    if (!is_alnum(c) && before == '_' && !out.empty()) return std::nullopt;
    if (c != '_') out += c;
    before = c;
  }
  if (before == '_') return std::nullopt;
  return out;
}

PythonLiteral problem(std::string text) {
  PythonLiteral literal;
  literal.problem = std::move(text);
  return literal;
}

PythonLiteral not_a_number(std::string_view spelling) {
  return problem(fmt::format("{} is not a number", quote(spelling)));
}

PythonLiteral read_integer(std::string_view spelling, std::string_view digits, int base) {
  const auto clean = without_underscores(digits, base != 10);
  if (!clean || clean->empty()) return not_a_number(spelling);
  const bool leading_zero = base == 10 && clean->size() > 1 && clean->front() == '0' &&
                            clean->find_first_not_of('0') != std::string::npos;
  if (leading_zero) return problem("a decimal number does not start with 0");
  PythonLiteral literal;
  std::int64_t value = 0;
  const char* end = clean->data() + clean->size();
  const auto [stop, code] = std::from_chars(clean->data(), end, value, base);
  if (code == std::errc::result_out_of_range && stop == end) {
    return problem(fmt::format("{} does not fit into 64 bits", spelling));
  }
  if (code != std::errc() || stop != end) return not_a_number(spelling);
  literal.value = value;
  return literal;
}

bool looks_real(std::string_view spelling) {
  return spelling.find_first_of(".eE") != std::string_view::npos;
}

PythonLiteral read_real(std::string_view spelling) {
  const auto clean = without_underscores(spelling, false);
  const bool plain = clean && clean->find_first_not_of("0123456789.eE+-") == std::string::npos;
  const auto value = plain ? read_decimal(*clean) : std::nullopt;
  if (!value) return not_a_number(spelling);
  PythonLiteral literal;
  literal.value = *value;
  return literal;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else {
    out += static_cast<char>(0xc0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// The escape after a backslash at rest[0]; how many bytes it took, or 0.
std::size_t read_escape(std::string_view rest, std::string& out) {
  constexpr std::string_view kNames = "\\'\"ntr";
  constexpr std::string_view kMeanings = "\\'\"\n\t\r";
  if (rest.empty()) return 0;
  if (const auto i = kNames.find(rest[0]); i != std::string_view::npos) {
    out += kMeanings[i];
    return 1;
  }
  unsigned code = 0;
  if (rest.size() < 3 || rest[0] != 'x') return 0;
  const auto [stop, error] = std::from_chars(rest.data() + 1, rest.data() + 3, code, 16);
  if (error != std::errc() || stop != rest.data() + 3) return 0;
  append_utf8(out, code);
  return 3;
}

// Whether the number, whose digits are not all zero, is 1 or more.
bool is_large(std::string_view digits) {
  const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
  const std::size_t point = std::min(digits.find('.'), e);
  const std::size_t first = digits.find_first_of("123456789");
  std::int64_t exponent = 0;
  if (e < digits.size()) {
    const std::size_t sign =
        digits.substr(e).starts_with("e+") || digits.substr(e).starts_with("E+");
    const char* begin = digits.data() + e + 1 + sign;
    const auto read = std::from_chars(begin, digits.data() + digits.size(), exponent);
    if (read.ec == std::errc::result_out_of_range) return *begin != '-';
  }
  const auto before = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return exponent > -before;
}

}  // namespace

// Unlike strtod, from_chars knows no locale, but it reports both too large and too small numbers
// as out of range where Python gives infinity and zero.
std::optional<double> read_decimal(std::string_view digits) {
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, value);
  if (stop != end || code == std::errc::invalid_argument) return std::nullopt;
  if (code != std::errc::result_out_of_range) return value;
  return is_large(digits) ? std::numeric_limits<double>::infinity() : 0.0;
}

PythonLiteral read_number(std::string_view spelling) {
  if (spelling.size() > 1 && spelling[0] == '0') {
    const int prefix = spelling[1] | 0x20;
    const std::string_view digits = spelling.substr(2);
    if (prefix == 'x') return read_integer(spelling, digits, 16);
    if (prefix == 'o') return read_integer(spelling, digits, 8);
    if (prefix == 'b') return read_integer(spelling, digits, 2);
  }
  return looks_real(spelling) ? read_real(spelling) : read_integer(spelling, spelling, 10);
}

bool is_two_to_63(std::string_view spelling) { return spelling == "9223372036854775808"; }

PythonLiteral read_text(std::string_view rest) {
  const char delimiter = rest[0];
  std::string out;
  PythonLiteral literal;
  for (std::size_t i = 1; i < rest.size() && rest[i] != '\n';) {
    if (rest[i] == delimiter) {
      literal.value = std::move(out);
      literal.length = i + 1;
      return literal;
    }
    if (rest[i] != '\\') {
      out += rest[i++];
      continue;
    }
    const std::size_t taken = read_escape(rest.substr(i + 1), out);
    if (taken == 0) {
      literal.problem_offset = i;
      literal.problem = "this escape is not known: use \\\\ \\' \\\" \\n \\t \\r or \\xhh";
      return literal;
    }
    i += 1 + taken;
  }
  literal.problem = "the text that starts here has no closing quote";
  return literal;
}

std::optional<std::int64_t> int_from_text(std::string_view text, bool& too_big) {
  text = trim(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto clean = without_underscores(text, false);
  too_big = false;
  if (!clean || clean->empty() || !std::ranges::all_of(*clean, is_digit)) return std::nullopt;
  const std::string digits = (negative ? "-" : "") + *clean;
  std::int64_t value = 0;
  const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  too_big = code == std::errc::result_out_of_range;
  if (too_big) return std::nullopt;
  return value;
}

std::optional<double> float_from_text(std::string_view text) {
  text = trim(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  auto clean = without_underscores(text, false);
  if (!clean || text.starts_with('-') || text.starts_with('+')) return std::nullopt;
  std::ranges::transform(*clean, clean->begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  });
  const bool special = *clean == "inf" || *clean == "infinity" || *clean == "nan";
  if (!special && clean->find_first_not_of("0123456789.e+-") != std::string::npos) {
    return std::nullopt;
  }
  const auto value = read_decimal(*clean);
  if (!value) return std::nullopt;
  return negative ? -*value : *value;
}

}  // namespace vyre::space::detail
