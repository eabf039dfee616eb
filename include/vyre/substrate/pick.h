// Soft picks over candidates: the part of the tuner's own mathematics that turns run times into
// chances. It runs as programs of the kernel language on the device at hand.
//
// Fixed point is Q16: unsigned 16.16 in a u32, ONE = 65536. Q16s is its signed twin in an i32.
// Functions whose names end in `_via` dispatch a program; the others compute on the host, in f64.
// Each function has a form that takes the caller's scratch and output. Given enough capacity, that
// form allocates nothing, and pointers stay. Scratch also keeps the programs that were built.
//
// Errors: bad_inputs for a wrong argument, backend for a device that gives back nothing or a wrong
// size. Errors of the dispatcher are passed on unchanged. After an error the outputs are unchanged.
//
// Threads: all functions are thread-safe. A scratch belongs to one call at a time.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/call.h"
#include "vyre/program.h"

namespace vyre::substrate {

inline constexpr std::uint32_t kOne = 1U << 16U;

// How often `_via` functions have entered each module, failed calls included. A call that uses two
// modules counts once for each of them.
struct Counter {
  std::string_view name;
  std::uint64_t count = 0;
};
std::array<Counter, 5> counters();

// The last program that was built with this scratch, the sizes n and k that it was built for, and
// the bytes that came back. A scratch may serve different programs in turn: a call that needs
// another program than the one in it builds a new one.
struct ProgramScratch {
  std::optional<ir::Sequence> program;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  Outputs outputs;
};

// ---- On the host, in f64. A number that is not finite, or a temperature that is not finite or
// ---- not above zero, is bad_inputs. Empty input gives empty output.

// exp(x - largest x), divided by the sum of all.
Expected<std::vector<double>> softmax(std::span<const double> x);
// softmax(x / temperature)
Expected<std::vector<double>> differentiable_argmax(std::span<const double> x, double temperature);

// softmax(-cost / temperature): the chance of each candidate. Costs and temperature have the same
// unit, which may be any.
Expected<std::vector<double>> pick_config(std::span<const double> costs, double temperature);
Expected<void> pick_config(std::span<const double> costs, double temperature,
                           std::vector<double>& probabilities);

// Minus the chances: the gradient of the free energy. Sums to -1.
Expected<std::vector<double>> config_gradient(std::span<const double> costs, double temperature);
Expected<void> config_gradient(std::span<const double> costs, double temperature,
                               std::vector<double>& gradient);

// The first minimum in the total order of doubles: -0.0 before +0.0, NaNs at the ends by their
// sign. No costs at all is bad_inputs.
Expected<std::size_t> pick_best_config(std::span<const double> costs);

// Weights for a soft pick on a device: round(exp(-(cost - least cost) / temperature) * ONE). The
// best candidate has exactly ONE, however slow all of them are.
Expected<std::vector<std::uint32_t>> pre_exp_of_costs(std::span<const double> costs,
                                                      double temperature);
Expected<void> pre_exp_of_costs(std::span<const double> costs, double temperature,
                                std::vector<std::uint32_t>& pre_exp);

// ---- On the dispatcher's device. Any u32 is a valid weight. No weights at all are bad_inputs.

using PickScratch = ProgramScratch;

// Probabilities of the candidates in Q16: softmax_step of the weights.
Expected<std::vector<std::uint32_t>> pick_config_pre_exp_fixed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp);
Expected<void> pick_config_pre_exp_fixed_via(Dispatcher& dispatcher,
                                             std::span<const std::uint32_t> pre_exp,
                                             PickScratch& scratch,
                                             std::vector<std::uint32_t>& probabilities);

// The policy's gradient without its sign: the same numbers as the probabilities.
Expected<std::vector<std::uint32_t>> config_gradient_magnitude_pre_exp_fixed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp);
Expected<void> config_gradient_magnitude_pre_exp_fixed_via(Dispatcher& dispatcher,
                                                           std::span<const std::uint32_t> pre_exp,
                                                           PickScratch& scratch,
                                                           std::vector<std::uint32_t>& gradient);

struct SignedPickScratch {
  PickScratch pick;
  std::vector<std::uint32_t> probabilities;
};

// The policy's gradient with its sign, in Q16s: minus the probabilities.
Expected<std::vector<std::int32_t>> config_gradient_pre_exp_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp);
Expected<void> config_gradient_pre_exp_fixed_signed_via(Dispatcher& dispatcher,
                                                        std::span<const std::uint32_t> pre_exp,
                                                        SignedPickScratch& scratch,
                                                        std::vector<std::int32_t>& gradient);

struct NaturalScratch {
  PickScratch pick;
  std::vector<std::uint32_t> probabilities;
  std::vector<std::int32_t> gradient;  // signed forms only
  ProgramScratch product;
};

// The policy's gradient under a metric: softmax_step of the weights, then
// natural_gradient_block_apply of `m_inv_sqrt`, n x n in Q16, row by row. The shape of the matrix
// is checked before anything runs. With the identity these are the probabilities themselves.
Expected<std::vector<std::uint32_t>> natural_config_gradient_magnitude_pre_exp_fixed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::uint32_t> m_inv_sqrt);
Expected<void> natural_config_gradient_magnitude_pre_exp_fixed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::uint32_t> m_inv_sqrt, NaturalScratch& scratch,
    std::vector<std::uint32_t>& gradient);

// The same for the signed gradient and a signed matrix, in Q16s.
Expected<std::vector<std::int32_t>> natural_config_gradient_pre_exp_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::int32_t> m_inv_sqrt);
Expected<void> natural_config_gradient_pre_exp_fixed_signed_via(
    Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::int32_t> m_inv_sqrt, NaturalScratch& scratch,
    std::vector<std::int32_t>& gradient);

}  // namespace vyre::substrate
