// Rules for programs whose body is source text.

#pragma once

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V110 to V118.
void check_source(Inspection& inspection);

}  // namespace vyre::ir
