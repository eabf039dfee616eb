// The sum over a workgroup whose size is a tunable.

#pragma once

#include "vyre/builder.h"

namespace vyre {

// Joins the elements of `parts`, one per invocation: `block` of them, a power of two. `join` takes
// two elements and gives one. The result is in element 0, visible to all invocations.
template <class Join>
void join_workgroup(ir::Builder& b, const ir::Array& parts, const ir::Value& block,
                    const Join& join) {
  const ir::Value lane = b.local_id();
  b.barrier();
  b.for_("level", 0, 31 - clz(block), [&](const ir::Value& level) {
    const ir::Value half = b.let("half", block >> (level + 1));
    b.if_(lane < half, [&] { parts[lane] = join(parts[lane], parts[lane + half]); });
    b.barrier();
  });
}

}  // namespace vyre
