// Wishes as text: how they get from an application to vyre-agent.
//
// One JSON object per line, which names a program and a shape and never has source:
//   {"key":"v2-...","identity":"5b0c...","program":"gemm","fingerprint":"9c...","shape":"64x64"}
// The key must follow from fingerprint and shape. Files are read like those of strangers.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/agree.h"

namespace vyre {

inline constexpr std::size_t kMostWishBytes = std::size_t{8} << 20U;  // of a file

// "64x64" and back. None: it is no list of 1 to 256 numbers.
std::string shape_text(std::span<const std::uint64_t> shape);
std::optional<std::vector<std::uint64_t>> parse_shape(std::string_view text);

std::string print_wishes(std::span<const Wish> wishes);
// `name` is the file, for messages. At most 4096 wishes. `ranks` is 1.
Expected<std::vector<Wish>> parse_wishes(std::string_view text, std::string_view name);

}  // namespace vyre
