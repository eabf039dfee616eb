// The OpenCL devices of this machine, in a stable order, and their own words about themselves.

#pragma once

#include <vector>

#include "backend/opencl/api.h"

namespace vyre::backend::opencl {

// All devices of all platforms: GPUs, then accelerators, then CPUs. A platform that stands on
// another interface (OpenCL over Vulkan) comes after those that do not. Among CPUs the order is
// Intel's runtime, PoCL, others, Mesa's: Intel's is the fastest of them on saxpy, and Mesa's took
// 20 times as long as PoCL. Ties are broken by the platform's name, so that the order does not
// depend on that in which the loader finds the drivers.
// `backend` error: there is no OpenCL, no platform or no device.
Expected<std::vector<cl_device_id>> opencl_devices();

// Everything but the selector.
DeviceInfo describe(cl_device_id device);

// The place of a CPU implementation in the order above, by its platform's name: lower comes first.
int implementation_rank(std::string_view platform);

}  // namespace vyre::backend::opencl
