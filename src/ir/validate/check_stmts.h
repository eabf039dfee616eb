// Rules for each statement by itself.

#pragma once

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V015, V036 to V042, V050, V051.
void check_stmts(Inspection& inspection);

}  // namespace vyre::ir
