// All rules for a sequence: those of its programs, then its own.

#pragma once

#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

// The result of `validate` for a sequence.
std::vector<Error> check_sequence(const SequenceDef& sequence);

}  // namespace vyre::ir
