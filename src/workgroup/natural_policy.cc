#include "vyre/substrate/natural_policy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "vyre/substrate/pick.h"
#include "workgroup/sweep.h"

namespace vyre {
namespace {

using substrate::kOne;
constexpr std::uint64_t kMostU64 = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMostU32 = std::numeric_limits<std::uint32_t>::max();

// Weights in Q16. Each is rounded, and capped by what is left of ONE; the last one takes the rest.
// So rounding cannot change their sum.
std::vector<std::uint32_t> weights_of(std::span<const std::uint64_t> elapsed_ns,
                                      std::uint64_t best_ns, std::uint64_t temperature_ns) {
  std::vector<double> weights;
  double sum = 0;
  for (const std::uint64_t ns : elapsed_ns) {
    weights.push_back(
        std::exp(-static_cast<double>(ns - best_ns) / static_cast<double>(temperature_ns)));
    sum += weights.back();
  }
  std::vector<std::uint32_t> out;
  std::uint32_t left = kOne;
  for (std::size_t k = 0; k + 1 < weights.size(); ++k) {
    const auto rounded = static_cast<std::uint32_t>(std::round(weights[k] / sum * kOne));
    out.push_back(std::min(rounded, left));
    left -= out.back();
  }
  out.push_back(left);
  return out;
}

std::uint32_t row_sum(std::span<const std::uint32_t> row, std::span<const std::uint32_t> weights) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::uint64_t term = (std::uint64_t{row[k]} * weights[k]) >> 16U;
    sum = term > kMostU64 - sum ? kMostU64 : sum + term;
  }
  return static_cast<std::uint32_t>(std::min(sum, kMostU32));
}

bool is_square_of(std::size_t cells, std::size_t n) { return cells / n == n && cells % n == 0; }

// The errors that need no run times, in the contract's order.
Expected<void> check_step(std::size_t n, const MetricQ16& metric_q16,
                          std::optional<std::uint64_t> temperature_ns) {
  if (n == 0) {
    return fail(ErrorKind::bad_inputs, kNoMeasurements,
                "no measurements; measure at least one candidate");
  }
  if (temperature_ns == 0U) {
    return fail(ErrorKind::bad_inputs, kZeroTemperature,
                "temperature 0 ns; give one above zero, or none");
  }
  if (!metric_q16 || is_square_of(metric_q16->size(), n)) return {};
  return fail(ErrorKind::bad_inputs, kWrongMetric,
              "the metric has {} cells for {} measurements; give {} x {} of them, or none for the "
              "identity",
              metric_q16->size(), n, n, n);
}

// The metric without the rows and columns of candidates that failed.
std::vector<std::uint32_t> struck(std::span<const std::uint32_t> metric, std::size_t n,
                                  std::span<const std::size_t> kept) {
  std::vector<std::uint32_t> out;
  for (const std::size_t row : kept) {
    for (const std::size_t column : kept) out.push_back(metric[row * n + column]);
  }
  return out;
}

}  // namespace

std::uint64_t relative_temperature_ns(std::uint64_t best_elapsed_ns) {
  return std::max<std::uint64_t>(1, best_elapsed_ns / 10);
}

bool is_policy_error(const Error& error) {
  return error.code == kNoMeasurements || error.code == kZeroTemperature ||
         error.code == kWrongMetric;
}

Expected<NaturalStep> natural_gradient_step(std::span<const std::uint64_t> elapsed_ns,
                                            MetricQ16 metric_q16,
                                            std::optional<std::uint64_t> temperature_ns) {
  const std::size_t n = elapsed_ns.size();
  VYRE_TRY_VOID(check_step(n, metric_q16, temperature_ns));
  NaturalStep out;
  const auto best = std::ranges::min_element(elapsed_ns);
  out.best = static_cast<std::size_t>(best - elapsed_ns.begin());
  out.best_elapsed_ns = *best;
  out.weights_q16 =
      weights_of(elapsed_ns, *best, temperature_ns.value_or(relative_temperature_ns(*best)));
  for (std::size_t row = 0; row < n; ++row) {
    out.natural_gradient_q16.push_back(
        metric_q16 ? row_sum(metric_q16->subspan(row * n, n), out.weights_q16)
                   : out.weights_q16[row]);
    out.measured.push_back(row);
  }
  const auto largest = std::ranges::max_element(out.natural_gradient_q16);
  out.selected = static_cast<std::size_t>(largest - out.natural_gradient_q16.begin());
  return out;
}

Expected<NaturalSweep> best_of_natural_gradient(BackendTimer& timer, const ir::Sequence& program,
                                                std::span<const Extent> candidates,
                                                MetricQ16 metric_q16,
                                                std::optional<std::uint64_t> temperature_ns,
                                                OnFailure on_failure) {
  const std::size_t n = candidates.size();
  VYRE_TRY_VOID(check_step(n, metric_q16, temperature_ns));
  VYRE_TRY(MeasuredCandidates measured, measure_all(timer, program, candidates, on_failure));
  std::vector<std::uint32_t> left;
  if (metric_q16) {
    left = struck(*metric_q16, n, measured.index);
    metric_q16 = left;
  }
  NaturalSweep out{.failed = std::move(measured.failed)};
  VYRE_TRY(out.step, natural_gradient_step(measured.elapsed_ns, metric_q16, temperature_ns));
  out.step.selected = measured.index[out.step.selected];
  out.step.best = measured.index[out.step.best];
  out.step.measured = std::move(measured.index);
  out.best = {.workgroup_size = candidates[out.step.best], .elapsed_ns = out.step.best_elapsed_ns};
  return out;
}

}  // namespace vyre
