// Instructions that compute: operations of ops.def, casts, selects, copies.

#pragma once

#include "backend/reference/machine.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

// dst = op(a, b, c), for a row of ops.def on operands of this scalar type.
Handler table_handler(ir::Op op, ir::Scalar operand);
// dst = cast of a.
Handler cast_handler(ir::Scalar from, ir::Scalar to);
// dst = c ? a : b, lane by lane. With b the same register as dst: dst = a where the mask c is on.
Handler select_handler(ir::Scalar value);
// dst = a.
Handler copy_handler(ir::Scalar value);

}  // namespace vyre::backend::reference
