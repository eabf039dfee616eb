// The natural-gradient loop: measure, estimate the metric, precondition the gradient, step, measure
// again.
//
// The metric F is the damped Fisher block of the measured samples (damped_fisher_via). The natural
// gradient is F^-1 g, and the whitened gradient is F^-1/2 g. They have the same direction only
// where F is a multiple of the identity. natural_step_via is one turn of the loop. Matrices are
// stored row by row. Errors, scratch and threads are as in vyre/substrate/pick.h.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vyre/substrate/pick.h"

namespace vyre::substrate {

// Samples of n numbers each, stored one after the other, and one weight per sample.
struct Samples {
  std::span<const float> values;
  std::span<const float> weights;
  std::size_t n = 0;
};

// The weighted covariance of the samples plus lambda * I, by fisher_block. All numbers are finite,
// no weight is negative, at least one weight is above 0, and lambda is above 0.
Expected<std::vector<float>> damped_fisher_via(Dispatcher& dispatcher, const Samples& samples,
                                               float lambda);
Expected<void> damped_fisher_via(Dispatcher& dispatcher, const Samples& samples, float lambda,
                                 ProgramScratch& scratch, std::vector<float>& out);

// inverse_sqrt_via accepts a root z of m if no entry of |z * m * z - I| is larger than this.
inline constexpr float kMostResidual = 1e-4F;

// m^-1/2, by inverse_sqrt. A matrix that does not converge is bad_inputs, and the message has its
// residual.
Expected<std::vector<float>> inverse_sqrt_via(Dispatcher& dispatcher, std::span<const float> m,
                                              std::size_t n);
Expected<void> inverse_sqrt_via(Dispatcher& dispatcher, std::span<const float> m, std::size_t n,
                                ProgramScratch& scratch, std::vector<float>& out);

struct RootScratch {
  ProgramScratch root_program;
  std::vector<float> root;  // F^-1/2
  std::vector<double> whitened;
};

// F^-1/2 g and F^-1 g. The device finds the root, which is n^3 work. The host multiplies the root
// by g in f64, which is n^2 work.
Expected<std::vector<double>> whitened_gradient_via(Dispatcher& dispatcher,
                                                    std::span<const float> fisher,
                                                    std::span<const double> g);
Expected<void> whitened_gradient_via(Dispatcher& dispatcher, std::span<const float> fisher,
                                     std::span<const double> g, RootScratch& scratch,
                                     std::vector<double>& out);
Expected<std::vector<double>> natural_gradient_via(Dispatcher& dispatcher,
                                                   std::span<const float> fisher,
                                                   std::span<const double> g);
Expected<void> natural_gradient_via(Dispatcher& dispatcher, std::span<const float> fisher,
                                    std::span<const double> g, RootScratch& scratch,
                                    std::vector<double>& out);

struct StepScratch {
  ProgramScratch fisher_program;
  std::vector<float> fisher;
  RootScratch root;
};

// One turn of the loop: -lr * F^-1 g, where F is the damped Fisher block of the samples.
Expected<std::vector<double>> natural_step_via(Dispatcher& dispatcher, const Samples& samples,
                                               float lambda, std::span<const double> g, double lr);
Expected<void> natural_step_via(Dispatcher& dispatcher, const Samples& samples, float lambda,
                                std::span<const double> g, double lr, StepScratch& scratch,
                                std::vector<double>& step);

}  // namespace vyre::substrate
