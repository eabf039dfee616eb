// Plan: everything about a call that is decided before a device is touched.
//
// Pure: the same sequence, sizes, options and limits give the same plan on every backend.

#pragma once

#include <cstdint>
#include <vector>

#include "backend/slots.h"

namespace vyre::backend {

struct StepPlan {
  std::uint32_t step = 0;  // of the sequence
  std::uint32_t program = 0;
  Specialisation specialisation;
  std::vector<std::uint64_t> symbols;  // bits of every symbol of the program
  Extent groups{1, 1, 1};
};

struct Plan {
  std::vector<std::uint64_t> symbols;  // bits of every symbol of the sequence; 0: nothing needs it
  std::vector<std::uint64_t> lengths;  // elements of each buffer of the sequence
  std::vector<StepPlan> steps;         // those that are on (ir::Step::when), at least one
  std::vector<bool> has_memory;        // by buffer; false: scratch that none of `steps` binds
};

// Of the slots, sizes and numbers count. Sizes are checked for steps that are off too, so that all
// configurations refuse the same calls. bad_inputs: a buffer, number or tunable is missing,
// unknown or of the wrong size, or no step is on; rejected: the workgroup or the local memory is
// more than the device allows.
Expected<Plan> make_plan(const ir::Sequence& sequence, const Slots& slots,
                         const CallOptions& options, const DeviceLimits& limits);
Expected<Plan> make_plan(const ir::Sequence& sequence, const Call& call,
                         const DeviceLimits& limits);

// Elements of the interface's buffers, then the values of its shapes, in declaration order: what
// key_of takes.
std::vector<std::uint64_t> shape_of(const ir::Sequence& sequence, const Plan& plan);

// Of all buffers together that have memory.
std::uint64_t buffer_bytes(const ir::Sequence& sequence, const Plan& plan);

// [64,1,1], or the largest power of two that the device allows.
Extent default_workgroup_size(const DeviceLimits& limits);

}  // namespace vyre::backend
