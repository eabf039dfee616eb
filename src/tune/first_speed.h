// FirstSpeed: times of samples as if the device had always had the speed of the first one.
//
// A machine's speed may halve for seconds at a time, and what is sampled then looks slow beside
// what was sampled before. The default configuration runs behind every sample where that is cheap
// (Result::default_ms), and its time tells the speed. On recordings of 13 spaces with such times
// (docs/measuring.md), campaigns of 10 s ended 2.5 % behind the optimum instead of 7.4 %.

#pragma once

#include "vyre/substrate/search.h"

namespace vyre {

class FirstSpeed {
 public:
  // The time of a sample in ns. Takes samples in the order of their answers.
  double ns(const Result& result) {
    const double raw = result.time_ms * 1e6;
    if (result.default_ms <= 0) return raw;
    if (first_default_ms_ == 0) first_default_ms_ = result.default_ms;
    const double slower = result.default_ms / first_default_ms_;
    const bool is_steady = slower <= 1 + kSteady && slower * (1 + kSteady) >= 1;
    return is_steady ? raw : raw / slower;
  }

 private:
  // Within this share of the first time the sample is taken as it is: the default's time has a
  // noise of its own, a few percent.
  static constexpr double kSteady = 0.1;

  double first_default_ms_ = 0;  // 0: not known yet
};

}  // namespace vyre
