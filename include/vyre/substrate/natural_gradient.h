// Natural-gradient steps: a gradient, preconditioned by a metric.
//
// Two names for two things. The natural gradient is F^-1 g. The whitened gradient is F^-1/2 g: the
// same direction only where the metric is a multiple of the identity.
//
// The loop: measure, estimate the damped Fisher block from what was measured
// (damped_fisher_via), precondition (natural_gradient_via), step, measure again; natural_step_via
// is one turn of it. Errors, scratch and threads as in vyre/substrate.h. Matrices are row by row.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/substrate/pick.h"

namespace vyre::substrate {

// ---- On the host, in f64. Lengths that do not fit n are bad_inputs. Numbers may be anything: what
// ---- is not finite spreads as IEEE 754 says.

// m * g, for a matrix that is already the wanted power of the metric.
Expected<std::vector<double>> precondition_autotune_gradient(std::span<const double> m,
                                                             std::span<const double> g,
                                                             std::size_t n);
Expected<void> precondition_autotune_gradient(std::span<const double> m, std::span<const double> g,
                                              std::size_t n, std::vector<double>& out);

// -lr * m * g
Expected<std::vector<double>> autotune_step(std::span<const double> m, std::span<const double> g,
                                            std::size_t n, double lr);
Expected<void> autotune_step(std::span<const double> m, std::span<const double> g, std::size_t n,
                             double lr, std::vector<double>& out);

// Ones on the diagonal; empty for n = 0. An n whose square cannot be held is bad_inputs.
Expected<std::vector<double>> identity_fisher_block(std::size_t n);
Expected<void> identity_fisher_block(std::size_t n, std::vector<double>& out);
Expected<std::vector<std::uint32_t>> identity_fisher_q16(std::size_t n);
Expected<void> identity_fisher_q16(std::size_t n, std::vector<std::uint32_t>& out);

// ---- On the dispatcher's device.

// natural_gradient_block_apply, n above 0.
Expected<std::vector<std::uint32_t>> precondition_autotune_gradient_fixed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> m_q16,
    std::span<const std::uint32_t> grad_q16, std::size_t n);
Expected<void> precondition_autotune_gradient_fixed_via(Dispatcher& dispatcher,
                                                        std::span<const std::uint32_t> m_q16,
                                                        std::span<const std::uint32_t> grad_q16,
                                                        std::size_t n, ProgramScratch& scratch,
                                                        std::vector<std::uint32_t>& out);

// The same in Q16s.
Expected<std::vector<std::int32_t>> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n);
Expected<void> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n, ProgramScratch& scratch,
    std::vector<std::int32_t>& out);

// Samples, each of n numbers, one after the other, and a weight for each.
struct Samples {
  std::span<const float> values;
  std::span<const float> weights;
  std::size_t n = 0;
};

// fisher_block: the weighted covariance of the samples plus lambda * I. Values and weights are
// finite, weights not negative and not all 0, lambda is finite and above 0.
Expected<std::vector<float>> damped_fisher_via(Dispatcher& dispatcher, const Samples& samples,
                                               float lambda);
Expected<void> damped_fisher_via(Dispatcher& dispatcher, const Samples& samples, float lambda,
                                 ProgramScratch& scratch, std::vector<float>& out);

// The largest residual |z * m * z - I| that inverse_sqrt_via takes for converged.
inline constexpr float kMostResidual = 1e-4F;

// inverse_sqrt. A matrix that does not converge is bad_inputs, and the message has its residual.
Expected<std::vector<float>> inverse_sqrt_via(Dispatcher& dispatcher, std::span<const float> m,
                                              std::size_t n);
Expected<void> inverse_sqrt_via(Dispatcher& dispatcher, std::span<const float> m, std::size_t n,
                                ProgramScratch& scratch, std::vector<float>& out);

struct RootScratch {
  ProgramScratch root_program;
  std::vector<float> root;  // F^-1/2
  std::vector<double> whitened;
};

// F^-1/2 g and F^-1 g. The root is found on the device; its product with g, n^2 of the n^3 work, on
// the host in f64.
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

// One turn of the loop: -lr * F^-1 g, F the damped Fisher block of the samples.
Expected<std::vector<double>> natural_step_via(Dispatcher& dispatcher, const Samples& samples,
                                               float lambda, std::span<const double> g, double lr);
Expected<void> natural_step_via(Dispatcher& dispatcher, const Samples& samples, float lambda,
                                std::span<const double> g, double lr, StepScratch& scratch,
                                std::vector<double>& step);

}  // namespace vyre::substrate
