// find_intervals: every run of neighbouring steps that can be joined, in every way.
//
// A run is joined from the left: its first two steps, then the result with the third, and so on.
// So a run can be joined only if all runs that it starts with can.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuse/stage.h"
#include "vyre/fuse.h"

namespace vyre::fuse {

struct FoundInterval {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::vector<Kind> kinds = {};
  Stage stage = {};
};

struct FoundIntervals {
  std::vector<Link> links = {};               // one per pair of neighbours, without tunables
  std::vector<FoundInterval> intervals = {};  // by length, then place, then size of the program
  std::vector<std::string> limits = {};
};

// The options' `most_interval_steps` is not 0. The sequence is valid.
FoundIntervals find_intervals(const ir::SequenceDef& sequence, const WidenOptions& options);

}  // namespace vyre::fuse
