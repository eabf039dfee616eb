// The programs of natural_gradient_block_apply and its signed twin.
//
// An invocation computes one row of the product or, with many rows, four of them, so that each
// element of the vector is loaded once for four products.

#pragma once

#include <cstdint>

#include "primitives/fixed_point.h"
#include "vyre/builder.h"

namespace vyre::primitives {

// Declares the buffers of a product of an n x n matrix with a vector, and its step.
void build_matvec(ir::SequenceBuilder& s, std::uint32_t n, const Fixed& fixed);

}  // namespace vyre::primitives
