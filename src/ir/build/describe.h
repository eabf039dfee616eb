// How messages name operations and values.

#pragma once

#include <string>
#include <string_view>

#include "ir/build/draft.h"

namespace vyre::ir {

// The name of an operation, whether it is in ops.def or not.
std::string_view name_of_any(Op op);

// A value by its type and its origin: u32 "n", f32 "x"[...], u32 global_id(0).
std::string describe(const Draft& draft, NodeId node);

}  // namespace vyre::ir
