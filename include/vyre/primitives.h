// Primitives: small pieces of mathematics as programs of the kernel language, for everyone.
//
// Numbers are Q16: unsigned 16.16 fixed point in a u32, 65536 being one. Integer programs give the
// same bits on every device. A size of zero, or one that makes a buffer larger than 4 GiB, is
// bad_inputs and names the argument. Workgroups have 256 invocations.
//
// Thread-safe: each call builds a sequence of its own.

#pragma once

#include <cstdint>

#include "vyre/program.h"

namespace vyre::primitives {

// Weights to probabilities. Buffers in order: pre_exp: read u32[n]; out: write u32[n].
//   s = max(1, sum of pre_exp), exact;  out[j] = pre_exp[j] * 65536 / s, truncated.
// All zeros give all zeros. Up to a few thousand weights it is one workgroup; beyond that the
// whole device takes part.
Expected<ir::Sequence> softmax_step(std::uint32_t n);

// Matrix times vector. Buffers in order: m: read u32[n * n], row by row; grad: read u32[n];
// out: write u32[n].
//   out[i] = min(2^32 - 1, sum over j of (m[i * n + j] * grad[j]) >> 16), exact in 64 bits.
// One invocation per row.
Expected<ir::Sequence> natural_gradient_block_apply(std::uint32_t n);

}  // namespace vyre::primitives
