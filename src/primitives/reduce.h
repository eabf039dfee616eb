// Reductions over a workgroup of kWorkgroup invocations.

#pragma once

#include "primitives/arguments.h"
#include "vyre/builder.h"

namespace vyre::primitives {

// Joins the elements of `parts`, one per invocation, pair by pair. The result is in element 0, and
// every invocation may read it. `join` takes and gives values of the element type.
template <class Join>
void reduce_workgroup(ir::Builder& b, const ir::Array& parts, const Join& join) {
  const ir::Value lane = b.local_id();
  b.barrier();
  for (std::uint32_t half = kWorkgroup / 2; half > 0; half /= 2) {
    b.if_(lane < half, [&] { parts[lane] = join(parts[lane], parts[lane + half]); });
    b.barrier();
  }
}

}  // namespace vyre::primitives
