// All rules for one program, in two stages.
//
// check_structure comes first. An Inspection is made only if it finds nothing, so every later pass
// may follow ids and recurse. Passes are independent of each other. The second stage runs only if
// the first has found nothing.

#pragma once

#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

// The result of `validate` for a program.
std::vector<Error> check_program(const Program& program);

}  // namespace vyre::ir
