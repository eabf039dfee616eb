// A program as a sequence of one launch.

#pragma once

#include "vyre/program.h"

namespace vyre::ir {

// The sequence has the program's name, all its symbols, its bound buffers with their lengths, and
// one step that binds each buffer and symbol to its namesake. Works on any program; a program with
// a mistake gives a sequence with the same mistake.
SequenceDef sequence_of(Program program);

}  // namespace vyre::ir
