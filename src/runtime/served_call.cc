#include "runtime/served_call.h"

#include "base/error.h"
#include "ir/ops.h"

namespace vyre {

Expected<ServedCall> describe_call(const ir::Sequence& sequence, const backend::Slots& slots,
                                   const std::optional<Extent>& grid, const DeviceLimits& limits) {
  VYRE_TRY(const backend::Plan plan, backend::make_plan(sequence, slots, {.grid = grid}, limits));
  ServedCall out{.sequence = sequence, .grid = grid};
  const auto& buffers = sequence.def().buffers;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (ir::gives_output(buffers[k].access)) out.output_elements += plan.lengths[k];
  }
  out.shape = backend::shape_of(sequence, plan);
  out.key = key_of(sequence.fingerprint(), out.shape);
  return out;
}

}  // namespace vyre
