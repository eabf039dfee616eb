// The programs of softmax_step.
//
// Up to a few thousand weights, one workgroup adds them up and divides each by the sum. More
// weights take three launches: partial sums of the whole device, their total, and the divisions.

#pragma once

#include <cstdint>

#include "vyre/builder.h"

namespace vyre::primitives {

// Declares the buffers of softmax_step for n weights, and its steps.
void build_softmax(ir::SequenceBuilder& s, std::uint32_t n);

}  // namespace vyre::primitives
