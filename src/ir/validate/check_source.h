// Rules for programs whose body is source text.

#pragma once

#include "ir/validate/context.h"

namespace vyre::ir {

// V110 to V117.
void check_source(Context& context);

}  // namespace vyre::ir
