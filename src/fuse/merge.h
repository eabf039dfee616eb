// Merge: the steps of two siblings, or of a chain in place, in one launch.
//
// Both stages run for the same numbers (or have the same launch), and an element that one of them
// writes is touched by the other one for the same number only. So the consumer's part for a number
// may follow the producer's part for it.
//
// Rules: merge.barrier, merge.array, merge.return, merge.zeroed, merge.domain, merge.frame,
// merge.shared, too-large.

#pragma once

#include <expected>

#include "fuse/stage.h"

namespace vyre::fuse {

std::expected<Stage, Refusal> join_merge(const Stage& producer, const Stage& consumer,
                                         const JoinContext& context);

}  // namespace vyre::fuse
