#include "native_loops.h"

#include <cblas.h>

#include <Eigen/Core>
#include <algorithm>

namespace vyre::bench {

void native_saxpy(float a, std::span<const float> x, std::span<float> y) {
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  const float* from = x.data();
  float* to = y.data();
#pragma omp parallel for simd schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = a * from[i] + to[i];
}

void native_softmax(std::span<const std::uint32_t> weights, std::span<std::uint32_t> out) {
  const auto n = static_cast<std::ptrdiff_t>(weights.size());
  const std::uint32_t* from = weights.data();
  std::uint32_t* to = out.data();
  std::uint64_t sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (std::ptrdiff_t i = 0; i < n; ++i) sum += from[i];
  sum = std::max<std::uint64_t>(sum, 1);
#pragma omp parallel for simd schedule(static)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    to[i] = static_cast<std::uint32_t>((std::uint64_t{from[i]} << 16U) / sum);
  }
}

void blas_sgemv(std::span<const float> m, std::span<const float> x, std::span<float> y) {
  const auto n = static_cast<int>(x.size());
  cblas_sgemv(CblasRowMajor, CblasNoTrans, n, n, 1.0F, m.data(), n, x.data(), 1, 0.0F, y.data(), 1);
}

void eigen_sgemm(std::span<const float> a, std::span<const float> b, std::span<float> c,
                 std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  using Matrix = Eigen::Map<const Eigen::MatrixXf>;
  Eigen::Map<Eigen::MatrixXf>(c.data(), size, size).noalias() =
      Matrix(a.data(), size, size) * Matrix(b.data(), size, size);
}

}  // namespace vyre::bench
