// Random damage to programs. The validator must survive it, and may not let a wrong program
// through.

#pragma once

#include <cstdint>

#include "vyre/program.h"

namespace vyre::testing {

// One random edit of any field: other ids, enumerators that do not exist, odd widths and bits,
// hostile names, nodes moved, copied and dropped. The same seed makes the same edit. The result
// may still be valid.
void mutate(ir::Program& program, std::uint64_t seed);
void mutate(ir::SequenceDef& sequence, std::uint64_t seed);

}  // namespace vyre::testing
