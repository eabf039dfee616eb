// Domain: the numbers for which a program runs its core, each exactly once.
//
// Most programs are a frame around a core: ids, loops over items and conditions compute a number
// such as i < n or (r, c) with r < rows and c < cols, and the core does the work for that number.
// If the core runs exactly once for each number, it may be moved into another frame with the same
// numbers.

#pragma once

#include <vector>

#include "bounds/accesses.h"
#include "vyre/program.h"

namespace vyre::fuse {

struct Domain {
  std::vector<bounds::RadixAxis> axes;  // the core runs once for each combination of numbers
  std::vector<ir::StmtId> lets;         // of the frame, outermost first
  ir::Block core;                       // the last statements of a block
  // Some of the lets load from buffers. So nothing that stores to these may stand between such a
  // frame and its core.
  bool frame_loads = false;
};

// Frames and cores of the program, the outermost core first. A core that does not run exactly once
// for each number, for all configurations, is left out.
std::vector<Domain> find_domains(const ir::Program& program, bounds::Accesses& accesses);

// How many statements at the start of a block belong to a frame: names of values without loads, and
// in the body of the program conditions that end an invocation.
std::size_t frame_size(const ir::Program& program, const ir::Block& block);

// `if condition { return }` in the body of the program.
bool is_return_guard(const ir::Program& program, ir::StmtId stmt);

}  // namespace vyre::fuse
