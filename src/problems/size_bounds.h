// Facts about a size's syntax tree that are needed before it is translated.

#pragma once

#include <cstdint>
#include <optional>

#include "problems/size_expression.h"
#include "space/python/ast.h"

namespace vyre {

// True and False are 1 and 0; none if the value is no whole number.
std::optional<std::int64_t> whole(const Value& value);

// The parameter p of max(p) or min(p), if the node is such a call.
const SizeName* list_of(const space::detail::Node& node, const SizeNames& names);

// A lower bound of the value; none if nothing is known.
std::optional<std::int64_t> least_of(const space::detail::Node& node, const SizeNames& names);

// Whether every value on the way to the result is a whole number and not negative, so that u32
// arithmetic is exact.
bool is_plain(const space::detail::Node& node, const SizeNames& names);

}  // namespace vyre
