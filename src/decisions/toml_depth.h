// The limit on how deep tables and lists may lie within each other, and a gate that holds any text
// to about that before it reaches toml++.
//
// toml++ 3.3 limits nested brackets to 256, but not the parts of a key: it builds "a.a.a..." as one
// table per part, and then frees them by recursion. A key of 15 000 parts ended the process.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace vyre::toml {

// Of tables and lists within each other. The document itself is not counted.
inline constexpr std::size_t kMostDepth = 64;

// The first line whose keys and brackets alone go deeper than twice the limit. The scan knows
// strings and comments but no grammar, so it takes the point of a number for one of a key: the
// reader behind it counts exactly.
std::optional<std::size_t> line_beyond_depth(std::string_view text);

}  // namespace vyre::toml
