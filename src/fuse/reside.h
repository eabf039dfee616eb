// Reside: a scratch buffer lives in an output instead of in memory of its own.
//
// A row of exponentials that is summed up and then divided needs no buffer besides the output: each
// element of the output is written behind the last use of the same scratch element. So the scratch
// buffer's elements can be stored in the output until then.

#pragma once

#include <cstdint>
#include <vector>

#include "vyre/program.h"

namespace vyre::fuse {

// `numbers`: variables of the frame; for two different values of these, no element of a buffer in
// `may_drop` is touched by both. The program must be valid.
ir::Program reside(const ir::Program& program, const std::vector<std::uint32_t>& numbers,
                   const std::vector<bool>& may_drop);

}  // namespace vyre::fuse
