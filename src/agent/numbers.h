// Numbers in texts from outside.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vyre::agent {

// Decimal digits and nothing else; none if it is no u64.
std::optional<std::uint64_t> to_number(std::string_view text);

}  // namespace vyre::agent
