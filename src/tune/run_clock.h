// RunClock: the time of one run, by the device's clock or, where that one is too coarse, by the
// host's.
//
// A device's clock may move in steps of a microsecond or more, and a short run may see none of
// them. The runs of a sample are repeated until the device's clock has ticked often enough to tell
// their mean; within limits, after which the host's clock serves, here and in all later samples: a
// race must not compare times of two clocks. A time is never 0.
//
// The step of the clock is what its readings show: their greatest common divisor. Drivers that name
// a step (CL_DEVICE_PROFILING_TIMER_RESOLUTION) may name a finer one than their clocks have.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vyre {

class RunClock {
 public:
  // The fewest ticks that tell a time: an error of one of them is 1 %.
  static constexpr std::uint64_t kEnoughTicks = 100;
  // Runs of a sample by a clock that is fine: so many, until they have taken so long with all that
  // comes between them.
  static constexpr std::size_t kRuns = 5;
  static constexpr double kSeconds = 3e-3;
  // The same by a clock that is coarse.
  static constexpr std::size_t kMostRuns = 2000;
  static constexpr double kMostSeconds = 0.1;

  struct Run {
    std::uint64_t device_ns = 0;  // 0: the clock did not tick
    std::uint64_t host_ns = 0;    // from before its launch until it is known to be over
  };

  // Every reading says more about the clock's step.
  void note(std::uint64_t device_ns);

  // Whether one more run would make the sample better. `seconds`: what it has taken until now.
  // `enough`: the runs of a sample by a clock that is fine.
  bool wants_more(std::span<const Run> runs, double seconds, std::size_t enough = kRuns) const;

  // The time of one of these runs, of which there is at least one: the median where a run has
  // enough ticks by itself, else the mean.
  double time_ns(std::span<const Run> runs);

  bool uses_host() const { return uses_host_; }

 private:
  bool is_enough(std::uint64_t device_ns) const;

  std::uint64_t step_ns_ = 0;  // 0: it has not ticked yet
  bool uses_host_ = false;
};

}  // namespace vyre
