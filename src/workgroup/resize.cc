#include "vyre/substrate/resize.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vyre {
namespace {

// Two throughputs of one size that differ by this factor belong to different work.
constexpr double kOtherWork = 2;

}  // namespace

std::optional<std::uint32_t> ResizePolicy::suggest(const TunerFeedback& feedback) const {
  const std::uint32_t x = std::max(1U, feedback.observed_workgroup_size_x);
  const double throughput = feedback.observed_throughput_per_us;
  if (feedback.idle_us > idle_shrink_us) {
    const std::uint32_t half = x / 2;
    return half >= minimum && half != 0 ? std::optional(half) : std::nullopt;
  }
  // A throughput that is NaN is not below it either.
  if (!(throughput < saturation_per_us)) return std::nullopt;
  const bool fits = x <= std::numeric_limits<std::uint32_t>::max() / 2 && 2 * x <= adapter_max;
  return fits ? std::optional(2 * x) : std::nullopt;
}

std::optional<std::uint32_t> SteadyResize::suggest(const TunerFeedback& feedback) {
  const std::uint32_t x = std::max(1U, feedback.observed_workgroup_size_x);
  if (awaited_ && x != *awaited_) return std::nullopt;
  awaited_.reset();
  if (!std::isfinite(feedback.observed_throughput_per_us)) return std::nullopt;
  remember(x, feedback.observed_throughput_per_us);
  std::optional<std::uint32_t> next = better_than(x);
  if (!next) {
    next = policy_.suggest(feedback);
    // That size was observed already, and better_than did not find it better.
    if (next && throughput_.contains(*next)) next.reset();
  }
  awaited_ = next;
  return next;
}

void SteadyResize::remember(std::uint32_t size, double throughput) {
  const auto it = throughput_.find(size);
  if (it != throughput_.end()) {
    const auto [low, high] = std::minmax(it->second, throughput);
    if (high > kOtherWork * low) throughput_.clear();
  }
  throughput_[size] = throughput;
}

std::optional<std::uint32_t> SteadyResize::better_than(std::uint32_t size) const {
  const auto faster = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto best = std::ranges::max_element(throughput_, faster);
  const bool is_better = best->second > throughput_.at(size) * (1 + gain_);
  return is_better ? std::optional(best->first) : std::nullopt;
}

}  // namespace vyre
