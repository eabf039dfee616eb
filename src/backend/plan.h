// Plan: everything about a call that is decided before a device is touched.
//
// Pure: the same sequence, call and limits give the same plan on every backend.

#pragma once

#include <cstdint>
#include <vector>

#include "vyre/call.h"

namespace vyre::backend {

struct StepPlan {
  std::uint32_t program = 0;
  Specialisation specialisation;
  std::vector<std::uint64_t> symbols;  // bits of every symbol of the program
  Extent groups{1, 1, 1};
};

struct Plan {
  std::vector<std::uint64_t> symbols;  // bits of every symbol of the sequence; 0: nothing needs it
  std::vector<std::uint64_t> lengths;  // elements of each buffer of the sequence
  std::vector<StepPlan> steps;
};

// bad_inputs: an input, argument or tunable is missing, unknown or of the wrong size; rejected: the
// workgroup or the local memory is more than the device allows.
Expected<Plan> make_plan(const ir::Sequence& sequence, const Call& call,
                         const DeviceLimits& limits);

}  // namespace vyre::backend
