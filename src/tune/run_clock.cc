#include "tune/run_clock.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace vyre {
namespace {

using Reading = std::uint64_t RunClock::Run::*;

std::uint64_t sum_of(std::span<const RunClock::Run> runs, Reading reading) {
  std::uint64_t sum = 0;
  for (const RunClock::Run& run : runs) sum += run.*reading;
  return sum;
}

std::uint64_t median_of(std::span<const RunClock::Run> runs, Reading reading) {
  std::vector<std::uint64_t> all;
  for (const RunClock::Run& run : runs) all.push_back(run.*reading);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

}  // namespace

void RunClock::note(std::uint64_t device_ns) { step_ns_ = std::gcd(step_ns_, device_ns); }

bool RunClock::is_enough(std::uint64_t device_ns) const {
  return step_ns_ > 0 && device_ns / step_ns_ >= kEnoughTicks;
}

bool RunClock::wants_more(std::span<const Run> runs, double seconds, std::size_t enough) const {
  if (runs.size() < enough && seconds < kSeconds) return true;
  if (uses_host_ || is_enough(sum_of(runs, &Run::device_ns))) return false;
  return runs.size() < kMostRuns && seconds < kMostSeconds;
}

// Where each run begins is independent of the clock's ticks, so a reading is as often too long as
// too short, and the mean of many is right although none of them is.
double RunClock::time_ns(std::span<const Run> runs) {
  const std::uint64_t sum = sum_of(runs, &Run::device_ns);
  if (!is_enough(sum)) uses_host_ = true;
  if (uses_host_) return static_cast<double>(median_of(runs, &Run::host_ns));
  const std::uint64_t median = median_of(runs, &Run::device_ns);
  if (is_enough(median)) return static_cast<double>(median);
  return static_cast<double>(sum) / static_cast<double>(runs.size());
}

}  // namespace vyre
