// This file alone is built with -march=native and OpenMP (cmake/bench.cmake). Eigen lays out and
// frees memory differently then, so its inline functions must not meet those of other files: the
// whole library gets another name here.
#define Eigen EigenNative
#include "eigen_native.h"

#include <Eigen/Dense>
#include <cmath>

namespace vyre::bench {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXf;

Eigen::Map<const Matrix> matrix_of(std::span<const float> cells, std::size_t columns) {
  return {cells.data(), static_cast<Eigen::Index>(cells.size() / columns),
          static_cast<Eigen::Index>(columns)};
}

Eigen::Map<const Vector> vector_of(std::span<const float> numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

float gap_of(const Matrix& product) {
  return (product - Matrix::Identity(product.rows(), product.cols())).cwiseAbs().maxCoeff();
}

}  // namespace

void eigen_fisher_block(std::span<const float> samples, std::span<const float> weights,
                        float lambda, std::size_t n, int threads, std::span<float> out) {
  Eigen::setNbThreads(threads);
  const auto x = matrix_of(samples, n);
  const Vector shares = vector_of(weights) / vector_of(weights).sum();
  const Eigen::RowVectorXf mean = shares.transpose() * x;
  Matrix centred = x.rowwise() - mean;
  centred.array().colwise() *= shares.array().sqrt();
  Eigen::Map<Matrix> result(out.data(), mean.size(), mean.size());
  result.noalias() = centred.transpose() * centred;
  result.diagonal().array() += lambda;
}

float eigen_inverse_sqrt(std::span<const float> m, std::size_t n, int threads,
                         std::span<float> out) {
  Eigen::setNbThreads(threads);
  const auto side = static_cast<Eigen::Index>(n);
  const float norm = matrix_of(m, n).norm();
  const Matrix scaled = matrix_of(m, n) / norm;
  const Matrix three = 3 * Matrix::Identity(side, side);
  Matrix y = scaled;
  Matrix z = Matrix::Identity(side, side);
  Matrix product(side, side);
  Matrix next(side, side);
  for (int step = 0; step < 60; ++step) {
    product.noalias() = z * y;
    const bool is_last = step % 2 == 1 && gap_of(product) * static_cast<float>(n) <= 3e-3F;
    product = three - product;
    next.noalias() = 0.5F * y * product;
    y.swap(next);
    next.noalias() = 0.5F * product * z;
    z.swap(next);
    if (is_last) break;
  }
  product.noalias() = z * scaled;
  next.noalias() = product * z;
  Eigen::Map<Matrix>(out.data(), side, side) = z / std::sqrt(norm);
  return gap_of(next);
}

}  // namespace vyre::bench
