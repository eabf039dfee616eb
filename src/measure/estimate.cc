// Why the median. GPU run times are a sharp peak with two tails. The right one comes from
// interrupts, other users and cold clocks, and reaches 2 to 4 times the peak. The left one is
// thinner, comes from devices that boost their clock, and lies 15 to 25 % below the peak. The mean
// follows the right tail; the minimum and low quantiles follow the left one, so that a candidate
// would win because the device boosted while it ran. The median follows neither until half of the
// runs are off, and it is the time that a user of the kernel sees.
//
// Why this interval. Order statistics give an interval that holds for any distribution, but only
// from five samples on. It is needed where run times jump between two clock levels: there the
// median absolute deviation (MAD) can be 0 with two fifths of the runs elsewhere. For fewer samples
// the noise of the other candidates stands in, because they are the same kernel on the same device.
// So a candidate's own spread is pooled with theirs, which counts as one more sample. The half
// width is that of a median of n normal samples, times Student's quantile for n degrees of freedom,
// so that two samples that agree by chance do not look certain. The result is the hull of both
// intervals. It always reaches down to the fastest samples, except those that the order statistic
// cuts off: a candidate that ran fast once can do so again. One sample alone may lie anywhere in
// the tails.
//
// Why gains come from pairs. Devices change their speed by a factor of two while a campaign runs.
// The ratio of two medians, one of early and one of late runs, has that factor in it, and no
// interval around either median shows it. The ratio of two runs that follow one another does not.
// In a pair both runs have noise, and a step of the speed between them makes an outlier in either
// direction, so the logarithms of the ratios scatter evenly around the true one: their median
// estimates it. The interval is made as above, but no other candidates' noise is known, so the
// usual noise stands in and Student's quantile has one degree of freedom less.
//
// Why a load widens that interval. Processes beside a kernel on the same cores do not slow all
// configurations alike: one that waits for its slowest thread loses half of its speed to one busy
// core, and one that hands out small pieces loses a third. All pairs of a moment have the same
// error then, so more pairs make the interval narrower and not truer: in a simulation of such
// loads, which come and go every second or so, 95 % intervals held in 77 of 100 campaigns with 3
// pairs and in 54 with 15; on a machine of two cores in 9 of 12. How much there is to lose can be
// seen: the configuration ran faster at some other time of the campaign. Each end of the interval
// is moved by that factor, as if one of the two had borne all of it. The simulation then holds in
// 96, 94 and 92 of 100 campaigns with 3, 5 and 15 pairs.

#include "vyre/substrate/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "base/statistics.h"

namespace vyre {
namespace {

constexpr double kLeastSpread = 5e-4;  // clocks tick in steps
// One run alone may be slower than the median by the first factor, and faster by the second.
constexpr double kLoneSlow = 4.0;
constexpr double kLoneFast = 1.35;

// By so much the runs of a quiet machine differ.
constexpr double kQuietSlowdown = 1.1;

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// The standard deviation, from the MAD. At least two numbers.
double deviation_of_sorted(std::span<const double> sorted) {
  const double centre = median_of_sorted(sorted);
  std::vector<double> away;
  for (const double value : sorted) away.push_back(std::abs(value - centre));
  std::sort(away.begin(), away.end());
  // 1.4826 makes the MAD a standard deviation; the rest is its bias for few samples.
  const auto n = static_cast<double>(sorted.size());
  return 1.4826 * median_of_sorted(away) * n / (n - 0.8);
}

double spread_of_sorted(std::span<const double> sorted) {
  return deviation_of_sorted(sorted) / median_of_sorted(sorted);
}

// Student's quantile for 95 %, two-sided.
double student(std::size_t freedom) {
  constexpr std::array<double, 10> kTable{12.71, 4.30, 3.18, 2.78, 2.57,
                                          2.45,  2.36, 2.31, 2.26, 2.23};
  if (freedom <= kTable.size()) return kTable[freedom - 1];
  return 1.96 + 2.5 / static_cast<double>(freedom);
}

// How many samples to leave out at either end, so that the rest spans the median with a chance of
// about 95 %. This is the binomial's quantile.
std::size_t cut(std::size_t n) {
  const auto count = static_cast<double>(n);
  return static_cast<std::size_t>(std::max(0.0, (count - 1.96 * std::sqrt(count)) / 2));
}

// The half width of the interval of a median of n samples, with their own deviation and one that is
// assumed and counts as one sample.
double half_width(std::size_t n, double own, double assumed, std::size_t freedom) {
  const auto count = static_cast<double>(n);
  const double pooled = std::sqrt((assumed * assumed + (count - 1) * own * own) / count);
  // 1.2533 = sqrt(pi / 2): the median's error over the mean's.
  return 1.2533 * student(freedom) * pooled / std::sqrt(count);
}

std::vector<double> log_ratios(std::span<const double> over, std::span<const double> under) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < std::min(over.size(), under.size()); ++k) {
    if (!(over[k] > 0) || !(under[k] > 0)) continue;
    const double ratio = std::log(over[k]) - std::log(under[k]);
    if (std::isfinite(ratio)) ratios.push_back(ratio);
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

}  // namespace

std::optional<double> relative_spread(std::span<const double> samples_ns) {
  if (samples_ns.size() < 2) return std::nullopt;
  return spread_of_sorted(sorted_copy(samples_ns));
}

Estimate estimate(std::span<const double> samples_ns, double spread) {
  if (samples_ns.empty()) return {};
  const std::vector<double> sorted = sorted_copy(samples_ns);
  const double centre = median_of_sorted(sorted);
  const std::size_t n = sorted.size();
  if (n == 1) return {centre, centre / kLoneSlow, centre * kLoneFast};
  const double own = spread_of_sorted(sorted);
  const double half = half_width(n, own, std::max(spread, kLeastSpread), n);
  Estimate result{centre, centre / (1 + half), centre * (1 + half)};
  const std::size_t out = cut(n);
  result.low_ns = std::min(result.low_ns, sorted[out]);
  if (n >= 5) result.high_ns = std::max(result.high_ns, sorted[n - 1 - out]);
  return result;
}

Gain gain_of(std::span<const double> default_ns, std::span<const double> winner_ns) {
  const std::vector<double> ratios = log_ratios(default_ns, winner_ns);
  const std::size_t n = ratios.size();
  if (n == 0) return {};
  const double centre = median_of_sorted(ratios);
  if (n == 1) {
    const double factor = kLoneSlow * kLoneFast;
    return {std::exp(centre), std::exp(centre) / factor, std::exp(centre) * factor, 1};
  }
  // Each run of a pair has the usual noise.
  const double assumed = std::numbers::sqrt2 * kUsualSpread;
  const double half = half_width(n, deviation_of_sorted(ratios), assumed, n - 1);
  const std::size_t out = cut(n);
  return {.times = std::exp(centre),
          .low = std::exp(std::min(centre - half, ratios[out])),
          .high = std::exp(std::max(centre + half, ratios[n - 1 - out])),
          .pairs = static_cast<std::uint32_t>(n)};
}

double slowdown_of(std::span<const double> paired_ns, std::span<const double> other_ns) {
  if (paired_ns.empty()) return 1;
  double fastest = *std::ranges::min_element(paired_ns);
  for (const double ns : other_ns) fastest = std::min(fastest, ns);
  return fastest > 0 ? median(paired_ns) / fastest : 1;
}

Gain under_load(const Gain& gain, double slowdown) {
  Gain out = gain;
  if (!(slowdown > kQuietSlowdown) || gain.pairs == 0) return out;
  out.low /= slowdown;
  out.high *= slowdown;
  return out;
}

}  // namespace vyre
