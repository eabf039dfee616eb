#include "base/hex.h"

#include <array>

namespace vyre {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

// By character; kNoDigit for one that is no digit. A table, because whether a digit is a letter is
// random, so that a branch on it would be mispredicted.
constexpr std::uint8_t kNoDigit = 0x10;
constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> out{};
  out.fill(kNoDigit);
  for (std::uint8_t value = 0; value < kDigits.size(); ++value) {
    const auto digit = static_cast<unsigned char>(kDigits[value]);
    out[digit] = value;
    if (value >= 10) out[digit - 'a' + 'A'] = value;
  }
  return out;
}();

unsigned digit_value(char c) { return kValues[static_cast<unsigned char>(c)]; }

}  // namespace

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

bool from_hex(std::string_view digits, std::span<std::uint8_t> out) {
  if (digits.size() != 2 * out.size()) return false;
  unsigned all = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const unsigned high = digit_value(digits[2 * i]);
    const unsigned low = digit_value(digits[2 * i + 1]);
    all |= high | low;
    out[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return all < kNoDigit;
}

std::optional<std::vector<std::uint8_t>> from_hex(std::string_view digits) {
  std::vector<std::uint8_t> out(digits.size() / 2);
  if (!from_hex(digits, out)) return std::nullopt;
  return out;
}

}  // namespace vyre
