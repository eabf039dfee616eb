// join: two stages as one, in one of four ways.
//
// Each way has a file of its own. All of them prove that the joined stage gives the same results
// for all inputs, sizes and values of tunables, or refuse with the rule that is not met.

#pragma once

#include <array>
#include <expected>

#include "fuse/stage.h"

namespace vyre::fuse {

// In the order in which they are tried.
inline constexpr std::array kKinds{Kind::inline_, Kind::epilogue, Kind::merge, Kind::rows};

// `producer` runs before `consumer`, with no step between them. It may be a joined stage itself.
// `kind` is not `none`.
std::expected<Stage, Refusal> join(Kind kind, const Stage& producer, const Stage& consumer,
                                   const JoinContext& context);

}  // namespace vyre::fuse
