// From the tree of a valid program to Code: instructions over registers.
//
// Recursion is as deep as the tree, which `validate` bounds.

#pragma once

#include <cstdint>

#include "backend/reference/code.h"
#include "vyre/device.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

struct LoweringOptions {
  bool detect_races = false;
  std::uint64_t most_bytes = std::uint64_t{256} << 20;  // registers and arrays of one machine
};

// The program must be valid. `rejected` if it would need more memory than allowed.
Expected<Code> lower(const ir::Program& program, const Specialisation& specialisation,
                     const LoweringOptions& options);

}  // namespace vyre::backend::reference
