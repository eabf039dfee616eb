// cvt: between all types.

#pragma once

#include "fake_cuda/driver/instruction.h"

namespace fake_cuda {

// Takes the types from Instruction::to and ::from, and `whole`: rounds to a whole number, .rni and
// its kin. Null where the pair is not known.
Handler convert_handler(Type to, Type from, bool whole);

}  // namespace fake_cuda
