// The common parts of every command that uses a device.

#pragma once

#include <chrono>
#include <string>

#include "vyre/device.h"

namespace vyre::cli {

// Compiled kernels are kept in the user's cache folder, where there is one.
DeviceOptions device_options();

// open_device, beside a small process that says it in one line if a driver ends this one meanwhile.
// A handler of signals would not do: LLVM, which many drivers contain, sets its own.
Expected<std::shared_ptr<Device>> open_watched(const std::string& selector,
                                               const DeviceOptions& options);

inline constexpr const char* kDeviceHelp =
    "Device to run on: best, or one that `vyre devices` lists, for example opencl:0 or reference";

}  // namespace vyre::cli
