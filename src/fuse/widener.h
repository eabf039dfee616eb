// widened_by: the sequence that holds the original steps and one fused step per interval.

#pragma once

#include "fuse/intervals.h"
#include "vyre/fuse.h"

namespace vyre::fuse {

// "fuse_", the beginning of the names of the links' tunables.
inline constexpr std::string_view kTunable = "fuse_";

// Original steps keep their order. A fused step stands behind the last step that it replaces.
Expected<Widened> widened_by(const ir::SequenceDef& original, FoundIntervals found);

}  // namespace vyre::fuse
