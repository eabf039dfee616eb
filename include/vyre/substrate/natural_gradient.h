// A gradient multiplied by a matrix: the step that the original called natural.
//
// The caller brings the matrix, which is already the wanted power of the metric.
// vyre/substrate/natural_loop.h estimates the metric and finds that power. Matrices are stored row
// by row. Errors, scratch and threads are as in vyre/substrate/pick.h.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/substrate/pick.h"

namespace vyre::substrate {

// ---- On the host, in f64. Lengths that do not fit n are bad_inputs. Infinities and NaNs are taken
// ---- as numbers, and spread as IEEE 754 says.

// m * g
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

// Ones on the diagonal, ONE in Q16. Empty for n = 0. An n above 65535 is bad_inputs.
Expected<std::vector<double>> identity_fisher_block(std::size_t n);
Expected<void> identity_fisher_block(std::size_t n, std::vector<double>& out);
Expected<std::vector<std::uint32_t>> identity_fisher_q16(std::size_t n);
Expected<void> identity_fisher_q16(std::size_t n, std::vector<std::uint32_t>& out);

// ---- On the dispatcher's device.

// m * g in Q16, by natural_gradient_block_apply. n is above 0.
Expected<std::vector<std::uint32_t>> precondition_autotune_gradient_fixed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> m_q16,
    std::span<const std::uint32_t> grad_q16, std::size_t n);
Expected<void> precondition_autotune_gradient_fixed_via(Dispatcher& dispatcher,
                                                        std::span<const std::uint32_t> m_q16,
                                                        std::span<const std::uint32_t> grad_q16,
                                                        std::size_t n, ProgramScratch& scratch,
                                                        std::vector<std::uint32_t>& out);

// m * g in Q16s.
Expected<std::vector<std::int32_t>> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n);
Expected<void> precondition_autotune_gradient_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::int32_t> m_q16s,
    std::span<const std::int32_t> grad_q16s, std::size_t n, ProgramScratch& scratch,
    std::vector<std::int32_t>& out);

}  // namespace vyre::substrate
