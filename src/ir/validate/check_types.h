// Rules for the types of expressions.

#pragma once

#include "ir/validate/context.h"

namespace vyre::ir {

// V030 to V036.
void check_types(Context& context);

}  // namespace vyre::ir
