// Primitives: small pieces of mathematics as programs of the kernel language, for everyone.
//
// Fixed-point numbers are Q16: unsigned 16.16 in a u32, 65536 being one. Q16s is the signed twin in
// an i32. Integer programs give the same bits on every device. Float programs agree within the
// bound that each states. A size of zero, or one that makes a buffer larger than 4 GiB, is
// bad_inputs; the message names the argument. Workgroups have 256 invocations unless stated
// otherwise. Large problems use the whole device.
//
// Thread-safe: each call builds a sequence of its own.

#pragma once

#include <cstdint>

#include "vyre/program.h"

namespace vyre::primitives {

// Weights to probabilities. Buffers in order: pre_exp: read u32[n]; out: write u32[n].
//   s = max(1, sum of pre_exp), exact
//   out[j] = pre_exp[j] * 65536 / s, truncated
// All zeros give all zeros. One workgroup computes up to a few thousand weights, and the whole
// device more than that.
Expected<ir::Sequence> softmax_step(std::uint32_t n);

// Matrix times vector. Buffers in order: m: read u32[n * n], row by row; grad: read u32[n];
// out: write u32[n].
//   out[i] = min(2^32 - 1, sum over j of (m[i * n + j] * grad[j]) >> 16), exact in 64 bits.
// An invocation computes one row or, if there are many, four.
Expected<ir::Sequence> natural_gradient_block_apply(std::uint32_t n);

// The same in Q16s: i32 in and out, the shift is arithmetic, the sum saturates once, at the store.
Expected<ir::Sequence> natural_gradient_block_apply_signed(std::uint32_t n);

// One link of a tensor train. Buffers in order: acc_in: read u32[r_prev]; core: read
// u32[r_prev * r_next], row by row; acc_out: write u32[r_next].
//   acc_out[b] = min(2^32 - 1, sum over a of (acc_in[a] * core[a * r_next + b]) >> 16)
Expected<ir::Sequence> tt_contract_step(std::uint32_t r_prev, std::uint32_t r_next);

// Damped Fisher block of k weighted samples. Scalar: lambda, f32, above 0. Buffers in order:
// samples: read f32[k * n], sample by sample; weights: read f32[k], none negative; out: write
// f32[n * n].
//   w = weights / their sum, mean = sum of w * sample,
//   out = sum of w * (sample - mean) * transposed (sample - mean) + lambda * I
// Weights that are all 0 give lambda * I. Each entry is within (k + 16) * 2^-21 * x^2 of the true
// one, where x is the largest absolute value of a sample. Tunable `quads`: an invocation computes
// four rows by 4 * quads columns; workgroups have 16 invocations.
Expected<ir::Sequence> fisher_block(std::uint32_t n, std::uint32_t k);

// Inverse square root of a symmetric positive definite matrix, by coupled Newton-Schulz with the
// test for convergence on the device. Buffers in order: m: read f32[n * n]; out: write f32[n * n];
// residual: write f32[1], the largest entry of |out * m * out - I|.
// A zero matrix gives the identity, and residual 0. The loop always ends. A matrix that does not
// converge (not positive definite, too ill conditioned for f32, NaN or infinity inside) has a large
// or infinite residual; look at it before using `out`. Tunable and workgroups are as for
// fisher_block.
Expected<ir::Sequence> inverse_sqrt(std::uint32_t n);

}  // namespace vyre::primitives
