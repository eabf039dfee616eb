// f64 references for fisher_block and inverse_sqrt. Only tests link this.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vyre::testing {

// weights.size() samples of n numbers each, one after the other.
std::vector<double> fisher_block(std::span<const float> samples, std::span<const float> weights,
                                 double lambda, std::size_t n);

// By the eigenvalues, all of which must be above 0; only the lower half is looked at.
std::vector<double> inverse_sqrt(std::span<const float> m, std::size_t n);

// Largest entry of |z * m * z - I|, computed in f64.
double inverse_sqrt_residual(std::span<const float> m, std::span<const float> z, std::size_t n);

// diag(p) - p * transposed p + lambda * I: the Fisher matrix of a softmax policy, damped.
std::vector<float> softmax_fisher(std::span<const double> p, double lambda);

}  // namespace vyre::testing
