// The tuner's own mathematics, run as programs of the kernel language on whatever device is at
// hand. Fixed point is Q16: unsigned 16.16 in a u32, ONE = 65536.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/dispatch.h"
#include "vyre/program.h"

namespace vyre::substrate {

inline constexpr std::uint32_t kOne = 1U << 16U;

// What a caller keeps between calls: the program that was built, and the bytes that came back. With
// the same n again, nothing is built and nothing allocated.
struct PickScratch {
  std::optional<ir::Sequence> program;
  std::uint32_t n = 0;
  backend::Outputs outputs;
};

// Weights for a soft pick: round(exp(-(cost - least cost) / temperature) * ONE), so the best
// candidate has exactly ONE however slow all are. Costs in any unit, temperature in the same, above
// zero and finite. No costs give no weights; a cost that is not finite is an error.
Expected<std::vector<std::uint32_t>> pre_exp_of_costs(std::span<const double> costs,
                                                      double temperature);

// Probabilities of the candidates in Q16: softmax_step of the weights, on the dispatcher's device.
// Any u32 is a valid weight; none at all is bad_inputs.
Expected<std::vector<std::uint32_t>> pick_config_pre_exp_fixed_via(
    backend::Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp);
Expected<void> pick_config_pre_exp_fixed_via(backend::Dispatcher& dispatcher,
                                             std::span<const std::uint32_t> pre_exp,
                                             PickScratch& scratch,
                                             std::vector<std::uint32_t>& probabilities);

struct NaturalScratch {
  PickScratch pick;
  std::vector<std::uint32_t> probabilities;
  std::optional<ir::Sequence> program;
  backend::Outputs outputs;
};

// The policy's gradient under a metric: softmax_step of the weights, then
// natural_gradient_block_apply of `metric`, n x n in Q16, row by row. The shape of the metric is
// checked before anything runs. With the identity these are the probabilities themselves.
Expected<std::vector<std::uint32_t>> natural_config_gradient_magnitude_pre_exp_fixed_via(
    backend::Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::uint32_t> metric);
Expected<void> natural_config_gradient_magnitude_pre_exp_fixed_via(
    backend::Dispatcher& dispatcher, std::span<const std::uint32_t> pre_exp,
    std::span<const std::uint32_t> metric, NaturalScratch& scratch,
    std::vector<std::uint32_t>& gradient);

}  // namespace vyre::substrate
