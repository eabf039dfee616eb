// Joined chains: a sequence whose steps were joined, run beside the original on the interpreter.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fuse/stage.h"
#include "vyre/call.h"
#include "vyre/config.h"
#include "vyre/program.h"

namespace vyre::testing {

// What a join of steps first to last must know. Refers to the sequence.
fuse::JoinContext context_of(const ir::SequenceDef& sequence, std::uint32_t first,
                             std::uint32_t last);

// The sequence with one step that runs the stage instead of steps first to last.
ir::SequenceDef with_joined(const ir::SequenceDef& sequence, std::uint32_t first,
                            std::uint32_t last, const fuse::Stage& stage);

// Runs both with the same random inputs. Floats have NaNs, infinities and denormals among them. The
// first difference in the bits of an output, or an error; empty if there is none.
std::string difference_of(const ir::SequenceDef& original, const ir::SequenceDef& joined,
                          std::span<const Argument> arguments, const Config& config = {},
                          std::uint64_t seed = 1);

}  // namespace vyre::testing
