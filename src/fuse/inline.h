// Inline: the consumer computes what the producer would have stored.
//
// Each load of a buffer that the producer writes becomes the value that the producer stores there,
// or 0 if the index is outside the buffer. The joined program has the consumer's launch. A buffer
// that nobody else reads disappears. One that is needed is stored as well, where the consumer
// visits each element exactly once.

#pragma once

#include <expected>

#include "fuse/refusal.h"
#include "fuse/stage.h"

namespace vyre::fuse {

// Limits of recomputing: evaluations of one element on average, and nodes that are added.
inline constexpr std::uint64_t kMostEvaluations = 16;
inline constexpr std::uint32_t kMostInlinedNodes = 4096;

// Rules of refusals: inline.unread, .overwritten, .input, .own, .plain, .once, .covers, .carried,
// .index, .condition, .width, .recompute, .nodes, .visit; too-large.
std::expected<Stage, Refusal> join_inline(const Stage& producer, const Stage& consumer,
                                          const JoinContext& context);

}  // namespace vyre::fuse
