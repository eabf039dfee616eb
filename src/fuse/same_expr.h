// Whether two expressions are written alike.

#pragma once

#include "vyre/program.h"

namespace vyre::fuse {

// Symbols and buffers are the same if their names are; so expressions of two stages of one sequence
// can be compared. Variables of two programs are never the same, except a program's own.
bool same_expr(const ir::Program& a, ir::ExprId x, const ir::Program& b, ir::ExprId y);

}  // namespace vyre::fuse
