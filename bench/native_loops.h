// Plain loops and OpenBLAS, built for this very processor and all of its cores: what programs on
// devices are measured against.

#pragma once

#include <cstdint>
#include <span>

namespace vyre::bench {

void native_saxpy(float a, std::span<const float> x, std::span<float> y);

// As primitives::softmax_step: Q16 shares of the sum, in u64.
void native_softmax(std::span<const std::uint32_t> weights, std::span<std::uint32_t> out);

// y = m * x with OpenBLAS, m row by row.
void blas_sgemv(std::span<const float> m, std::span<const float> x, std::span<float> y);

// c = a * b with Eigen, n by n, column by column.
void eigen_sgemm(std::span<const float> a, std::span<const float> b, std::span<float> c,
                 std::size_t n);

}  // namespace vyre::bench
