// Reductions over a workgroup of kWorkgroup invocations.

#pragma once

#include "primitives/arguments.h"
#include "vyre/builder.h"

namespace vyre::primitives {

// Joins what every invocation has put into its element of `parts`; the result is in element 0, for
// all to see. `join` takes and gives values of the element type.
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
