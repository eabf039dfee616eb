// A program as a sequence of one launch.

#pragma once

#include "vyre/program.h"

namespace vyre::ir {

// The sequence has the program's name, all its symbols, its bound buffers with their lengths, and
// one step that passes each on to itself. Works on any program; one that is wrong gives a sequence
// that is wrong in the same way.
SequenceDef sequence_of(Program program);

}  // namespace vyre::ir
