// Accesses that are easier to ask about than those that a program has.
//
// Two accesses in opposite branches of one `if` may be one access in truth: a strip of columns that
// is whole has a loop over all its columns, the last strip has a loop over those that are left.
// `united` is that one access. And an index with `min(first, n)`, at a place that is reached only
// if `first` is the smaller one, is the index with `first`; `k < min(a, b)` is `k < a` and `k < b`.
// `without_min` is that access.
//
// Both give accesses at places of their own. All that is known there are the guards and the facts
// of the launch.

#pragma once

#include <optional>

#include "bounds/accesses.h"
#include "vyre/program.h"

namespace vyre::bounds {

// The access that stands for two: what is proved of its place holds for the turns and invocations
// that reach one of the two. None if they are no opposite branches, have different indices, or if
// it is not proved that each branch runs for exactly those turns that satisfy the conditions inside
// both branches. The loops of the second are taken for those of the first, in their order.
std::optional<MemoryAccess> united(const ir::Program& program, Accesses& accesses,
                                   const MemoryAccess& a, const MemoryAccess& b);

// The same access, reached by the same turns and invocations, where each min in its index that is
// proved to be one of its operands is replaced by that operand, and guards that ask for a min to be
// large ask for both of its operands. The access itself if there is none.
MemoryAccess without_min(Accesses& accesses, const MemoryAccess& access);

}  // namespace vyre::bounds
