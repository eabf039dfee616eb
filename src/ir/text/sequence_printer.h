// A sequence in the text form: its programs, then the sequence itself.

#pragma once

#include <string>

#include "vyre/program.h"

namespace vyre::ir {

// The result of `print` for a sequence. A sequence of one program that adds nothing to the program
// is printed as that program.
std::string print_sequence(const SequenceDef& sequence);

}  // namespace vyre::ir
