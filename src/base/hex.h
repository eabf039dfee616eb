// Bytes as lower-case hexadecimal digits, and back.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vyre {

std::string to_hex(std::span<const std::uint8_t> bytes);

// Either case. False if a character is no digit, or the count is not that of `out`; `out` may have
// some of the bytes then.
bool from_hex(std::string_view digits, std::span<std::uint8_t> out);
// The same; none if a character is no digit or the count is odd.
std::optional<std::vector<std::uint8_t>> from_hex(std::string_view digits);

}  // namespace vyre
