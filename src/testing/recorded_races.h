// Races on recorded run times: how often measuring finds the fastest of 50 configurations of a real
// kernel on a real device, and what that costs.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "vyre/recording.h"
#include "vyre/substrate/measure.h"

namespace vyre::testing {

// The configurations of a recording that ran, with all their run times and, as truth, the medians.
struct RecordedRuns {
  std::string name;
  std::vector<std::vector<double>> runs_ns;
  std::vector<double> median_ns;
};
RecordedRuns recorded_runs(std::string name, const recording::Recording& recording);

enum class RunOrder : std::uint8_t { shuffled, as_recorded };

// Shares of the races, each of 50 configurations drawn at random.
struct RaceFigures {
  double within_1_percent = 0;  // winners whose median is that near to the best one's
  double within_noise = 0;      // the same with the best one's own spread where that is larger
  double samples = 0;           // taken, over 7 per configuration
  double agreement = 0;         // two races with other orders of the same runs, same winner; says
                                // nothing as recorded, where both are the same race
};
RaceFigures race_recorded(const RecordedRuns& recorded, const RaceOptions& options, RunOrder order,
                          std::uint32_t races);

}  // namespace vyre::testing
