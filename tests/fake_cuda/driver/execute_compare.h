// setp, set, selp and slct.

#pragma once

#include "fake_cuda/driver/instruction.h"

namespace fake_cuda {

// Null where the type is not known.
Handler setp_handler(Type type);
Handler set_handler(Type to, Type from);
Handler slct_handler(Type of_condition);

// d = c ? a : b, for every type.
void select(Thread& thread, const Instruction& at);

}  // namespace fake_cuda
