// What every command that uses a device shares.

#pragma once

#include <memory>
#include <string>

#include "vyre/device.h"

namespace vyre::cli {

// Compiled kernels are kept in the user's cache folder, where there is one.
backend::DeviceOptions device_options();

// "best" is the best one there is.
Expected<std::shared_ptr<backend::Device>> open_device(const std::string& selector);

inline constexpr const char* kDeviceHelp =
    "Device to run on: best, or one that `vyre devices` lists, for example opencl:0 or reference";

}  // namespace vyre::cli
