// plan_space: the configurations of a widened sequence that are worth measuring.

#pragma once

#include <span>
#include <vector>

#include "fuse/intervals.h"
#include "vyre/fuse.h"

namespace vyre::fuse {

// Parameters: fuse_* of the links, then the tunables with several values. Constraints leave out
// values of fuse_* that are no legal plan, and other values than the default of a tunable that
// nothing uses under a plan: such configurations would be measured twice. `tunables` are those of
// the widened sequence.
space::Definition plan_space(const ir::SequenceDef& original, std::span<const Link> links,
                             std::span<const FoundInterval> intervals,
                             std::span<const ir::Symbol> tunables);

// The kinds that a link has in some interval, ascending; empty: it is never joined.
std::vector<Kind> kinds_of_link(std::span<const FoundInterval> intervals, std::uint32_t link);

}  // namespace vyre::fuse
