// Rules for variables: declared once, visible where they are used, not hiding other names.

#pragma once

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V010 to V012, V014, V020 to V022, V032.
void check_scopes(Inspection& inspection);

}  // namespace vyre::ir
