// SlowTimes: samples of a recording without those that were taken while the machine was slow.
//
// A yardstick runs before and behind each sample. It is one of the fastest configurations: a
// machine was seen to make these slower by half for minutes (probably its memory was slow), while
// most other configurations did not show it. For the same reason samples of slow times are left out
// and not corrected.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "vyre/recording.h"

namespace vyre {

struct Sample {
  std::size_t row = 0;  // of the recording
  double ms = 0;
  double yardstick_ms = 0;  // the longer one of the two beside it
};

class SlowTimes {
 public:
  explicit SlowTimes(std::vector<Sample> samples) : samples_(std::move(samples)) {
    std::vector<double> sorted;
    for (const Sample& s : samples_) sorted.push_back(s.yardstick_ms);
    std::ranges::sort(sorted);
    limit_ms_ = kSlow * sorted[sorted.size() / kUsual];
  }

  // Samples of other times. A configuration that has none of them gets what there is.
  void add_to(recording::Recording& recording) const {
    for (const bool wanted : {false, true}) {
      std::vector<bool> has_none;
      for (const recording::Row& row : recording.rows) has_none.push_back(row.run_ms.empty());
      for (const Sample& s : samples_) {
        if ((s.yardstick_ms > limit_ms_) != wanted || (wanted && !has_none[s.row])) continue;
        recording.rows[s.row].run_ms.push_back(std::round(s.ms * 1e4) / 1e4);  // for a small file
      }
    }
  }

 private:
  static constexpr double kSlow = 1.08;
  static constexpr std::size_t kUsual = 4;  // the machine is fast for this part of the time

  std::vector<Sample> samples_;
  double limit_ms_ = 0;
};

}  // namespace vyre
