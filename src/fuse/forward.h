// Forward: values that a program stores and loads again stay in variables.
//
// A load becomes a variable if a store to the same element always comes before it in the same
// invocation, and nothing stores to the buffer in between. A buffer that may be dropped and is no
// longer loaded disappears with its stores. Programs with barriers stay as they are.

#pragma once

#include <cstdint>
#include <vector>

#include "vyre/program.h"

namespace vyre::fuse {

struct ForwardOptions {
  std::vector<std::uint32_t> opaque;  // see bounds::Assumptions
  std::vector<bool> may_drop;         // by buffer of the program
};

// The program must be valid, and no invocation may touch an element that another one writes.
ir::Program forward(const ir::Program& program, const ForwardOptions& options);

}  // namespace vyre::fuse
