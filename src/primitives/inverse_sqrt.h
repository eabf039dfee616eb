// The programs of inverse_sqrt: coupled Newton-Schulz.
//
// Y starts as M divided by its norm, and Z as the identity. Each step computes T = 3I - ZY and
// multiplies both by T / 2; Y tends to the root of M, and Z to its inverse root. Y and Z stay
// polynomials of M, so they commute, and each step squares the gap between ZY and the identity once
// that gap is below one. The device itself tests for convergence.

#pragma once

#include <cstdint>

#include "vyre/builder.h"

namespace vyre::primitives {

// Declares the buffers of inverse_sqrt for an n x n matrix, and its steps.
void build_inverse_sqrt(ir::SequenceBuilder& s, std::uint32_t n);

}  // namespace vyre::primitives
