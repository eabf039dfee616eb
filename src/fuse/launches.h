// Launches: two stages with the same launch as one program, the second body behind the first one.
//
// Nothing moves, so arrays, barriers and any flow are allowed, but for an invocation of the
// producer that ends early.

#pragma once

#include <expected>

#include "fuse/cores.h"
#include "fuse/stage.h"

namespace vyre::fuse {

bool have_same_launch(const ir::Program& a, const ir::Program& b);

// Joined cores without numbers: each invocation is its own.
std::expected<JoinedCores, Refusal> write_bodies(const CoreParts& parts);

}  // namespace vyre::fuse
