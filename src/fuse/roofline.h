// The roofline: how long a call of a sequence should take, from its work and the device's rates.
//
// A launch takes the longer of moving its bytes and computing its operations, and the launch
// itself; buffers that must be cleared before it take the time of writing them. This is the model
// that XLA uses to rank fusions. It knows nothing of caches' sizes, of vectors and of latencies, so
// its answer is a hint for a search and decides nothing.

#pragma once

#include "backend/plan.h"
#include "fuse/rates.h"

namespace vyre::fuse {

double predicted_ns(const ir::Sequence& sequence, const backend::Plan& plan, const Rates& rates);

}  // namespace vyre::fuse
