// The common parts of every command that uses a device.

#pragma once

#include <chrono>
#include <string>

#include "vyre/device.h"

namespace vyre::cli {

// Compiled kernels are kept in the user's cache folder, where there is one.
DeviceOptions device_options();

// Seconds that were typed for `option`, as a time limit; a limit of years is one of days.
Expected<std::chrono::milliseconds> limit_of(const char* option, double seconds);

inline constexpr const char* kDeviceHelp =
    "Device to run on: best, or one that `vyre devices` lists, for example opencl:0 or reference";

}  // namespace vyre::cli
