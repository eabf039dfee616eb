// What is known of a size's syntax tree before it is translated.

#pragma once

#include <cstdint>
#include <optional>

#include "problems/size_expression.h"
#include "space/python/ast.h"

namespace vyre {

// True and False are 1 and 0; none: no whole number.
std::optional<std::int64_t> whole(const Value& value);

// The parameter p of max(p) or min(p), if the node is such a call.
const SizeName* list_of(const space::detail::Node& node, const SizeNames& names);

// What the value is never below; none: nothing is known.
std::optional<std::int64_t> least_of(const space::detail::Node& node, const SizeNames& names);

// Nothing on the way to the value is negative or of another type: u32 arithmetic is exact.
bool is_plain(const space::detail::Node& node, const SizeNames& names);

}  // namespace vyre
