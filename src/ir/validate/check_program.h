// All rules for one program, in two stages.
//
// check_structure comes first. Only when it finds nothing is a Context made; every later pass may
// then follow ids and recurse. Passes are independent of each other; those of the second stage also
// need the first stage to have found nothing.

#pragma once

#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

// What `validate` returns for a program.
std::vector<Error> check_program(const Program& program);

}  // namespace vyre::ir
