// The instructions of the interpreter, by what they do and on which types.

#pragma once

#include "backend/reference/machine.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

// dst = op(a, b, c), for a row of ops.def on operands of this scalar type.
Handler table_handler(ir::Op op, ir::Scalar operand);
// dst = cast of a.
Handler cast_handler(ir::Scalar from, ir::Scalar to);
// dst = c ? a : b, lane by lane; also `dst = a where the mask c is on` when b is dst.
Handler select_handler(ir::Scalar value);
// dst = a.
Handler copy_handler(ir::Scalar value);

// Where a buffer lives decides how it is reached.
enum class Place : std::uint8_t {
  global,    // other threads may run other workgroups on it: relaxed atomic accesses
  constant,  // global, but nobody writes it
  local,
  private_,  // one array per lane
};
Place place_of(ir::Access access);

// dst = buffer[a], `c` elements (1, 2 or 4) from a * c on; zeros where that is not inside.
Handler load_handler(ir::Scalar element, ir::Scalar index, Place place);
// buffer[a] = b where the mask dst is on; `c` elements; nothing where that is not inside.
Handler store_handler(ir::Scalar element, ir::Scalar index, Place place);
// buffer[a] op= b where the mask `target` is on; dst = old value; c: expected value.
Handler atomic_handler(ir::AtomicOp op, ir::Scalar element, ir::Scalar index, Place place);
// Tells the race detector of an access to buffer[b] (c elements) by the lanes of mask a; dst is the
// kind of access, target the statement.
Handler race_handler(ir::Scalar index);

// Takes `instructions` times the lanes from the budget; false, and the machine stops, if that was
// too much.
bool spend(Machine& m, std::uint32_t instructions);

namespace control {
// dst = mask a and (not) condition b; jumps to target if no lane is left.
void enter_if(Machine& m, const Instr& i);
void enter_else(Machine& m, const Instr& i);
// dst = a and b, both masks.
void keep_alive(Machine& m, const Instr& i);
// dst = dst and not a.
void switch_off(Machine& m, const Instr& i);
void jump(Machine& m, const Instr& i);
// Masks dst by b and by count c < limit a, counts, and jumps to target if no lane is left.
void while_test(Machine& m, const Instr& i);
// Back to target, at a cost of `a` instructions of budget.
void loop_back(Machine& m, const Instr& i);
void clear_counter(Machine& m, const Instr& i);
void barrier(Machine& m, const Instr& i);
}  // namespace control

// Trip counts of a for loop: count dst from begin a, end b, step c.
Handler trip_count_handler(ir::Scalar type);
// Mask dst = mask a where count b is not zero; jumps to target if no lane is left.
void for_enter(Machine& m, const Instr& i);
// variable dst += step a; count b -= 1; mask c keeps the lanes with a count left; back to target if
// there are any, at a cost of `buffer` instructions.
Handler for_next_handler(ir::Scalar type);

}  // namespace vyre::backend::reference
