// Rules for symbols, buffers and their names.

#pragma once

#include <string_view>

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V010 to V013, V043 to V045.
void check_declarations(Inspection& inspection);

// V010 to V012; `what` as in "buffer".
void check_name(Inspection& inspection, Place place, std::string_view what, std::string_view name);

}  // namespace vyre::ir
