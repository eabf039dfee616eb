#include "report/escape_xml.h"

#include <array>
#include <cstdint>

namespace vyre::report {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = byte(0) & (0xffU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0U) != 0x80) return {};
    code = code << 6U | (byte(k) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  return code < kLeast[bytes] ? Decoded{} : Decoded{code, bytes};
}

bool is_xml(std::uint32_t code) {
  return (code >= 0x20 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe) ||
         (code >= 0x10000 && code < 0x110000);
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Decoded decoded = decode(text);
    const std::size_t bytes = decoded.bytes == 0 ? 1 : decoded.bytes;
    switch (decoded.code) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\t':
      case '\n':
        out += ' ';
        break;
      default:
        out += is_xml(decoded.code) ? text.substr(0, bytes) : kReplacement;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace vyre::report
