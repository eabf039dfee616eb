// A problem as a call: what its candidates are launched with, and what tells its campaign from
// others.

#pragma once

#include <string>
#include <vector>

#include "backend/plan.h"
#include "tune/campaign.h"

namespace vyre {

// Sizes of the inputs and values of the arguments. bad_inputs: they do not fit the sequence.
Expected<void> place(const Problem& problem, backend::Slots& slots);

// A workgroup size (workgroup_config) replaces the declared one; everything else sets tunables.
// Refers to `config`.
CallOptions options_for(const Config& config);

// The numbers that key_of takes.
Expected<std::vector<std::uint64_t>> shape_of(const Problem& problem, const DeviceLimits& limits);

// Bytes of all buffers of a call with the default configuration; 0 if there is no such call.
std::uint64_t buffer_bytes(const Problem& problem, const DeviceLimits& limits);

// Whether the space is a choice of workgroup sizes and nothing else.
bool is_workgroup_choice(const space::Space& space);

// 16 hexadecimal digits over inputs, arguments, reference outputs and, where floats are compared,
// the tolerance: samples that were verified with others are not verified. Reads buffers on the
// device.
Expected<std::string> digest_of_data(const Problem& problem);

// `data`: what digest_of_data gave; empty: there is no journal that could be mistaken.
SearchTask task_of(const Problem& problem, const DeviceInfo& device, const std::string& data = {});

// The same problem with all inputs in host memory, for another process.
Expected<Problem> on_host(const Problem& problem);

}  // namespace vyre
