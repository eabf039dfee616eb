// A device over the scripted driver (scripted_cuda.h), and a call that uses all of it.

#pragma once

#include <memory>
#include <string>

#include "testing/scripted_cuda.h"
#include "vyre/device.h"

namespace vyre::testing {

// The first device that the script shows.
Expected<std::shared_ptr<Device>> opened_scripted(
    const DeviceOptions& options = {}, backend::cuda::Api api = backend::cuda::Api::cuda);
// The same in a test that needs it.
std::shared_ptr<Device> open_scripted(const DeviceOptions& options = {},
                                      backend::cuda::Api api = backend::cuda::Api::cuda);

// y[i] = i + 1 for 256 elements.
Expected<std::shared_ptr<Kernel>> compile_counting(Device& device, const Extent& workgroup);

// Everything that a call does: compile, allocate, write, fill, launch with a timer, read, copy.
Expected<void> use_everything(Device& device);

// Runs a user's kernel with so much dynamic shared memory, and with a constant of 16 bytes.
Expected<void> run_filter(Device& device, std::uint32_t tile_bytes);

// Empty: there is no error.
std::string message_of(const Expected<void>& result);

}  // namespace vyre::testing
