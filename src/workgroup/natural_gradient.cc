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

template <class... Args>
std::unexpected<Error> policy_error(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorKind::bad_inputs, kPolicyError, format, std::forward<Args>(args)...);
}

// Each is capped by what is left and the last takes the rest, so that rounding never makes the sum
// anything but ONE.
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

// The metric of those that could be measured.
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

Expected<NaturalStep> natural_gradient_step(std::span<const std::uint64_t> elapsed_ns,
                                            std::span<const std::uint32_t> metric_q16,
                                            std::optional<std::uint64_t> temperature_ns) {
  const std::size_t n = elapsed_ns.size();
  if (n == 0) return policy_error("no measurements; measure at least one candidate");
  if (temperature_ns == 0U) return policy_error("temperature 0 ns; give one above zero, or none");
  if (!is_square_of(metric_q16.size(), n)) {
    return policy_error("the metric has {} cells for {} measurements; give {} x {} of them",
                        metric_q16.size(), n, n, n);
  }
  NaturalStep out;
  const auto best = std::ranges::min_element(elapsed_ns);
  out.best = static_cast<std::size_t>(best - elapsed_ns.begin());
  out.best_elapsed_ns = *best;
  out.weights_q16 =
      weights_of(elapsed_ns, *best, temperature_ns.value_or(relative_temperature_ns(*best)));
  for (std::size_t row = 0; row < n; ++row) {
    out.natural_gradient_q16.push_back(row_sum(metric_q16.subspan(row * n, n), out.weights_q16));
    out.measured.push_back(row);
  }
  const auto largest = std::ranges::max_element(out.natural_gradient_q16);
  out.selected = static_cast<std::size_t>(largest - out.natural_gradient_q16.begin());
  return out;
}

Expected<NaturalSweep> best_of_natural_gradient(BackendTimer& timer, const ir::Sequence& program,
                                                std::span<const Extent> candidates,
                                                std::span<const std::uint32_t> metric_q16,
                                                std::optional<std::uint64_t> temperature_ns,
                                                OnFailure on_failure) {
  const std::size_t n = candidates.size();
  std::vector<std::uint32_t> identity;
  if (metric_q16.empty()) {
    VYRE_TRY_VOID(identity_fisher_q16(n, identity));
    metric_q16 = identity;
  }
  // What the step would refuse is refused before anything is measured.
  if (n == 0 || temperature_ns == 0U || !is_square_of(metric_q16.size(), n)) {
    const std::vector<std::uint64_t> none(n, 1);
    return std::unexpected(natural_gradient_step(none, metric_q16, temperature_ns).error());
  }
  VYRE_TRY(Measured measured, measure_all(timer, program, candidates, on_failure));
  NaturalSweep out{.failed = std::move(measured.failed)};
  VYRE_TRY(out.step, natural_gradient_step(measured.elapsed_ns,
                                           struck(metric_q16, n, measured.index), temperature_ns));
  out.step.selected = measured.index[out.step.selected];
  out.step.best = measured.index[out.step.best];
  out.step.measured = std::move(measured.index);
  out.best = {.workgroup_size = candidates[out.step.best], .elapsed_ns = out.step.best_elapsed_ns};
  return out;
}

}  // namespace vyre
