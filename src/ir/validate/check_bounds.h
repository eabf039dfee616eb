// The rule for accesses that are outside their buffer in every run.

#pragma once

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V080. Second stage.
void check_bounds(Inspection& inspection);

}  // namespace vyre::ir
