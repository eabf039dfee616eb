// Instructions that load, store and update elements of buffers, and that report accesses.

#pragma once

#include "backend/reference/machine.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

// The kind of memory that a buffer is in: it decides how elements are accessed.
enum class Place : std::uint8_t {
  global,    // other threads may run other workgroups on it: relaxed atomic accesses
  constant,  // global, and no program writes it
  local,
  private_,  // one array per lane
};
Place place_of(ir::Access access);

// dst = buffer[a]: `c` elements (1, 2 or 4) from a * c on. Zeros where that is outside the buffer.
Handler load_handler(ir::Scalar element, ir::Scalar index, Place place);
// buffer[a] = b where the mask dst is on: `c` elements. Nothing where that is outside the buffer.
Handler store_handler(ir::Scalar element, ir::Scalar index, Place place);
// buffer[a] op= b where the mask `target` is on. dst is the old value, c the expected one.
Handler atomic_handler(ir::AtomicOp op, ir::Scalar element, ir::Scalar index, Place place);
// Reports to the race detector that the lanes of mask a access buffer[b], c elements. dst is the
// kind of access, target the statement.
Handler race_handler(ir::Scalar index);

}  // namespace vyre::backend::reference
