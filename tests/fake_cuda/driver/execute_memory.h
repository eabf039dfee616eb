// ld, st, atom, red, mov of vectors, and conversions of addresses.

#pragma once

#include <string_view>

#include "fake_cuda/driver/instruction.h"

namespace fake_cuda {

// Null where the type is not known.
Handler load_handler(Type type);
Handler store_handler(Type type);
Handler atomic_handler(std::string_view operation, Type type);

void copy(Thread& thread, const Instruction& at);    // d = a
void pack(Thread& thread, const Instruction& at);    // d = the list, the first lowest
void unpack(Thread& thread, const Instruction& at);  // the list = a
void to_generic(Thread& thread, const Instruction& at);
void from_generic(Thread& thread, const Instruction& at);
void is_in_space(Thread& thread, const Instruction& at);

}  // namespace fake_cuda
