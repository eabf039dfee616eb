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

// Either case; none if a character is no digit or the count is odd.
std::optional<std::vector<std::uint8_t>> from_hex(std::string_view digits);

}  // namespace vyre
