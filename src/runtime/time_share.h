// TimeShare: how much time may go into something, as a share of the time that something else takes.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace vyre {

// Thread-safe. The first expense that exceeds the share is the last until the income has made up
// for it: there is no telling beforehand how long a compiler takes.
class TimeShare {
 public:
  using Clock = std::chrono::steady_clock;
  explicit TimeShare(double share) : share_(share) {}

  void earn(Clock::duration time) { add(earned_ns_, time); }
  void spend(Clock::duration time) { add(spent_ns_, time); }

  bool allows() const {
    const auto earned = static_cast<double>(earned_ns_.load(std::memory_order_relaxed));
    return static_cast<double>(spent_ns_.load(std::memory_order_relaxed)) < share_ * earned;
  }

 private:
  static void add(std::atomic<std::int64_t>& sum, Clock::duration time) {
    sum.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count(),
                  std::memory_order_relaxed);
  }

  double share_;
  std::atomic<std::int64_t> earned_ns_{0};
  std::atomic<std::int64_t> spent_ns_{0};
};

}  // namespace vyre
