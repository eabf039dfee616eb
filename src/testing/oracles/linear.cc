#include "testing/oracles/linear.h"

#include <Eigen/Dense>
#include <numeric>

namespace vyre::testing {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(std::span<const float> m, std::size_t n) {
  Matrix out(n, n);
  std::copy(m.begin(), m.end(), out.data());
  return out;
}

std::vector<double> cells_of(const Matrix& m) { return {m.data(), m.data() + m.size()}; }

}  // namespace

std::vector<double> fisher_block(std::span<const float> samples, std::span<const float> weights,
                                 double lambda, std::size_t n) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> mean(n, 0.0);
  for (std::size_t s = 0; s < weights.size(); ++s) {
    for (std::size_t j = 0; j < n; ++j) mean[j] += weights[s] / total * samples[s * n + j];
  }
  std::vector<double> out(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double& cell = out[i * n + j];
      for (std::size_t s = 0; s < weights.size(); ++s) {
        cell +=
            weights[s] / total * (samples[s * n + i] - mean[i]) * (samples[s * n + j] - mean[j]);
      }
      if (i == j) cell += lambda;
    }
  }
  return out;
}

std::vector<double> inverse_sqrt(std::span<const float> m, std::size_t n) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix_of(m, n));
  return cells_of(solver.operatorInverseSqrt());
}

double inverse_sqrt_residual(std::span<const float> m, std::span<const float> z, std::size_t n) {
  const Matrix root = matrix_of(z, n);
  const Matrix gap = root * matrix_of(m, n) * root - Matrix::Identity(root.rows(), root.cols());
  return gap.cwiseAbs().maxCoeff();
}

std::vector<float> softmax_fisher(std::span<const double> p, double lambda) {
  std::vector<float> out;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      out.push_back(static_cast<float>((i == j ? p[i] + lambda : 0.0) - p[i] * p[j]));
    }
  }
  return out;
}

}  // namespace vyre::testing
