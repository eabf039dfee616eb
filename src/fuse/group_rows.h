// Group rows: one workgroup does a row's work of both steps.
//
// The body of one stage stays as it is, in its launch: the keeper. The other stage's work comes
// before or behind it, in one of three forms:
//
//   bodies    Both have the same workgroup and the same grid. One body follows the other.
//   elements  The other stage is a map over the elements of the rows, and the keeper has one
//             workgroup for each row. The lanes share out the row: lane, lane + lanes, ...
//   numbers   The other stage is a map over the rows. One lane does the workgroup's number.
//
// A barrier stands between the halves, outside of all conditions and loops, and no invocation ends
// before it. So everything of the first half has happened, for the whole workgroup, before the
// second half starts. It is proved that each element that one half writes and the other half
// touches belongs to one workgroup. Then no workgroup can see what another one has or has not done.
//
// Each body keeps its own arrays, so none is used by both halves. A statistic that nobody else
// needs becomes a local array of one element.

#pragma once

#include <expected>

#include "fuse/cores.h"
#include "fuse/stage.h"

namespace vyre::fuse {

// `otherwise`: the refusal if none of the forms fits at all.
std::expected<Stage, Refusal> join_group_rows(const CoreParts& parts, const JoinContext& context,
                                              Refusal otherwise);

}  // namespace vyre::fuse
