// The original's natural-gradient policy: weights from run times, under a metric that the caller
// brings.
//
// Weights and gradients are Q16 (vyre/substrate/pick.h). Elapsed times and temperatures are whole
// nanoseconds. All functions are pure, except that the sweep asks its timer.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vyre/substrate/best_of.h"
#include "vyre/substrate/natural_gradient.h"

namespace vyre {

// The codes of the policy's own errors, one each. An error of a timer keeps its own code.
inline constexpr std::string_view kNoMeasurements = "policy.measurements";
inline constexpr std::string_view kZeroTemperature = "policy.temperature";
inline constexpr std::string_view kWrongMetric = "policy.metric";
bool is_policy_error(const Error& error);

struct NaturalStep {
  std::size_t selected = 0;  // the next probe: largest natural gradient, the first of equals
  std::size_t best = 0;      // the decision: least elapsed, the first of equals
  std::uint64_t best_elapsed_ns = 0;
  std::vector<std::uint32_t> weights_q16 = {};  // sum to ONE
  std::vector<std::uint32_t> natural_gradient_q16 = {};
  std::vector<std::size_t> measured = {};  // the candidate that each entry above belongs to
};

// max(1, best / 10): a temperature that fits kernels of any length.
std::uint64_t relative_temperature_ns(std::uint64_t best_elapsed_ns);

// n x n cells, row by row. None: the identity. An empty span is a metric of the wrong size, except
// for no measurements.
using MetricQ16 = std::optional<std::span<const std::uint32_t>>;

// The identity as cells: ONE on the diagonal.
using substrate::identity_fisher_q16;

// Weights exp(-(elapsed - best) / temperature), normalised, and their product with the metric. No
// temperature: relative to the best. Three inputs are errors, checked in this order: no
// measurements, a temperature of 0, a metric of another size.
Expected<NaturalStep> natural_gradient_step(
    std::span<const std::uint64_t> elapsed_ns, MetricQ16 metric_q16 = std::nullopt,
    std::optional<std::uint64_t> temperature_ns = std::nullopt);

struct NaturalSweep {
  NaturalStep step = {};  // its indices are into the candidates
  Measurement best = {};
  std::vector<FailedCandidate> failed = {};
};

// Measures all candidates, then takes the step. The rows and columns of failed candidates are
// struck from the metric. Inputs that the step would refuse are refused before anything is
// measured.
Expected<NaturalSweep> best_of_natural_gradient(
    BackendTimer& timer, const ir::Sequence& program, std::span<const Extent> candidates,
    MetricQ16 metric_q16 = std::nullopt, std::optional<std::uint64_t> temperature_ns = std::nullopt,
    OnFailure on_failure = OnFailure::skip);

}  // namespace vyre
