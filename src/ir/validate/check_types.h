// Rules for the types of expressions.

#pragma once

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V030 to V036.
void check_types(Inspection& inspection);

}  // namespace vyre::ir
