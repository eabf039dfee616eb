#include "ir/text/spelling.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "ir/ops.h"

namespace vyre::ir {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

// The whole of `text` as a T, or none.
template <class T, class... Base>
std::optional<T> convert(std::string_view text, Base... base) {
  T value{};
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [stop, code] = std::from_chars(begin, end, value, base...);
  if (code != std::errc() || stop != end || text.empty()) return std::nullopt;
  return value;
}

bool is_hex(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

std::optional<std::uint64_t> magnitude(std::string_view digits) {
  if (digits.starts_with('-')) return std::nullopt;
  return is_hex(digits) ? convert<std::uint64_t>(digits.substr(2), 16)
                        : convert<std::uint64_t>(digits, 10);
}

std::optional<TypedBits> float_literal(std::string_view digits, bool negative) {
  const auto value = convert<float>(digits);
  if (!value || !std::isfinite(*value) || std::signbit(*value)) return std::nullopt;
  return TypedBits{Scalar::f32, std::bit_cast<std::uint32_t>(negative ? -*value : *value)};
}

std::optional<TypedBits> integer_literal(Scalar type, std::string_view digits, bool negative) {
  const auto value = magnitude(digits);
  if (!value || (negative && !is_signed(type))) return std::nullopt;
  const std::uint64_t all = byte_size(type) == 4 ? kMost32 : ~std::uint64_t{0};
  const std::uint64_t most = is_signed(type) ? all / 2 + (negative ? 1 : 0) : all;
  if (*value > most) return std::nullopt;
  return TypedBits{type, (negative ? -*value : *value) & all};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string print_literal(Scalar type, std::uint64_t bits) {
  const auto raw = [&] { return fmt::format("{}({:#x})", name_of(type), bits); };
  if (type == Scalar::boolean) return bits > 1 ? raw() : bits == 1 ? "true" : "false";
  if (type == Scalar::u64) return fmt::format("{}ul", bits);
  if (type == Scalar::i64) return fmt::format("{}l", static_cast<std::int64_t>(bits));
  if (bits > kMost32 || type > Scalar::f32) return raw();
  const auto low = static_cast<std::uint32_t>(bits);
  if (type == Scalar::u32) return fmt::format("{}u", low);
  if (type == Scalar::i32) return fmt::format("{}i", static_cast<std::int32_t>(low));
  const auto value = std::bit_cast<float>(low);
  return std::isfinite(value) ? fmt::format("{}f", value) : raw();
}

std::optional<TypedBits> parse_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  struct Suffix {
    std::string_view text;
    Scalar type;
  };
  // `f` is a hexadecimal digit: floats are decimal only. `ul` stands before `l`.
  for (const auto& [suffix, type] : {Suffix{"ul", Scalar::u64}, Suffix{"l", Scalar::i64},
                                     Suffix{"u", Scalar::u32}, Suffix{"i", Scalar::i32}}) {
    if (!text.ends_with(suffix)) continue;
    return integer_literal(type, text.substr(0, text.size() - suffix.size()), negative);
  }
  if (!text.ends_with('f') || is_hex(text)) return std::nullopt;
  return float_literal(text.substr(0, text.size() - 1), negative);
}

std::optional<std::uint64_t> parse_bits(std::string_view text) {
  return is_hex(text) ? magnitude(text) : std::nullopt;
}

std::string print_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::optional<std::string> parse_string(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const std::string_view rest = text.substr(i + 1);
    if (rest.starts_with('"') || rest.starts_with('\\')) {
      out += rest[0];
      i += 1;
      continue;
    }
    if (rest.size() < 3 || rest[0] != 'x') return std::nullopt;
    const int high = hex_digit(rest[1]);
    const int low = hex_digit(rest[2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 3;
  }
  return out;
}

}  // namespace vyre::ir
