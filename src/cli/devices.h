// The common parts of every command that uses a device.

#pragma once

#include <chrono>
#include <string>

#include "vyre/device.h"

namespace vyre::cli {

// Compiled kernels are kept in the user's cache folder, where there is one.
DeviceOptions device_options();

inline constexpr const char* kDeviceHelp =
    "Device to run on: best, or one that `vyre devices` lists, for example opencl:0 or reference";

}  // namespace vyre::cli
