// Rows: one invocation, or one workgroup, does a row's work of both steps.
//
// One stage runs for each row, the other one for each row or for each element of the rows. What one
// of them writes for a row is touched by the other one for the same row only. The loops over the
// elements of a row stay apart.
//
// Where an invocation owns a row, a statistic (one element for each row) stays in a variable. Where
// a stage has barriers, local arrays or a workgroup for each row, a workgroup owns the row
// (group_rows.h): there the two halves stand apart by a barrier, and a statistic stays in local
// memory. In both forms a row that is kept between the loops lives in the output where that is
// possible.
//
// Rules: rows.barrier, rows.array, rows.return, rows.zeroed, rows.domain, rows.frame, rows.shared,
// rows.none, too-large; of workgroups also rows.launch and rows.uniform.

#pragma once

#include <expected>

#include "fuse/stage.h"

namespace vyre::fuse {

std::expected<Stage, Refusal> join_rows(const Stage& producer, const Stage& consumer,
                                        const JoinContext& context);

}  // namespace vyre::fuse
