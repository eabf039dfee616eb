// KeepLocal: a number that a workgroup stores for its row stays in local memory.

#pragma once

#include <vector>

#include "vyre/program.h"

namespace vyre::fuse {

// A buffer that may be dropped becomes a local array of one element if each workgroup touches one
// element of it, and no other workgroup touches that one. Both are zeros at the start, so nothing
// else changes. The program must be valid.
ir::Program keep_local(const ir::Program& program, const std::vector<bool>& may_drop);

}  // namespace vyre::fuse
