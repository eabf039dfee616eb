// Finish: what is left to do when two cores stand in one frame.

#pragma once

#include <expected>

#include "fuse/cores.h"
#include "fuse/stage.h"

namespace vyre::fuse {

// Keeps values in variables, or in local memory where a workgroup owns a row. Drops buffers that
// nobody needs, lets scratch rows live in outputs.
std::expected<Stage, Refusal> finish(const JoinedCores& joined, const JoinContext& context);

}  // namespace vyre::fuse
