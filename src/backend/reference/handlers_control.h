// Instructions that steer: masks, jumps, loops, barriers, and the budget that ends long programs.

#pragma once

#include "backend/reference/machine.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

// Takes `instructions` times the number of lanes from the budget. If that is more than is left, the
// machine stops and the result is false.
bool spend(Machine& m, std::uint32_t instructions);

namespace control {
// dst = mask a and condition b (enter_else: and not b). Jumps to target if no lane is left.
void enter_if(Machine& m, const Instr& i);
void enter_else(Machine& m, const Instr& i);
// dst = a and b, both masks.
void keep_alive(Machine& m, const Instr& i);
// dst = dst and not a.
void switch_off(Machine& m, const Instr& i);
void jump(Machine& m, const Instr& i);
// Keeps in mask dst the lanes where condition b holds and count c is below limit a; counts up.
// Jumps to target if no lane is left.
void while_test(Machine& m, const Instr& i);
// Back to target, at a cost of `a` instructions of budget.
void loop_back(Machine& m, const Instr& i);
void clear_counter(Machine& m, const Instr& i);
void barrier(Machine& m, const Instr& i);
}  // namespace control

// Trip counts of a for loop: count dst from begin a, end b, step c.
Handler trip_count_handler(ir::Scalar type);
// Mask dst = mask a where count b is not zero. Jumps to target if no lane is left.
void for_enter(Machine& m, const Instr& i);
// variable dst += step a, count b -= 1. Mask c keeps the lanes that have turns left. Jumps back to
// target if there are any, at a cost of `buffer` instructions.
Handler for_next_handler(ir::Scalar type);

}  // namespace vyre::backend::reference
