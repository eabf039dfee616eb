// Programs that differ from a given one in a single place, each with another meaning.
//
// For tests of everything that must notice a change: fingerprints, equality, caches. Not every
// mutant is valid (a variable may be used out of its scope): ask `validate`.

#pragma once

#include <string>
#include <vector>

#include "vyre/program.h"

namespace vyre::testing {

struct Mutant {
  std::string change;  // "expression 3: add becomes sub"
  ir::Program program;
};

// Operations, operand order, constants, types of access, references, defaults, loops, statement
// order and nesting, grid. The declared workgroup size is left alone. The program must be valid.
std::vector<Mutant> mutants(const ir::Program& program);

}  // namespace vyre::testing
