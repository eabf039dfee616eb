// Rules for size expressions: lengths, workgroup size, grid, unroll.

#pragma once

#include <cstdint>

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V007, V060 to V062.
void check_sizes(Inspection& inspection);

// V063 to V066: the values that the sizes have at the tunables' defaults. Second stage.
void check_extents(Inspection& inspection);

// V007 and V060 for one expression.
enum class SizeUse : std::uint8_t { length, fixed, grid };
void check_size(Inspection& inspection, const Root& root, SizeUse use);

}  // namespace vyre::ir
