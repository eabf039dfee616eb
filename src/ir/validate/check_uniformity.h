// Rules for barriers: every invocation of a workgroup must reach the same ones.

#pragma once

#include "ir/validate/inspection.h"

namespace vyre::ir {

// V070, V071. Second stage.
void check_uniformity(Inspection& inspection);

}  // namespace vyre::ir
