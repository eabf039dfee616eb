// Devices of a driver and compilers that are loaded.

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backend/cuda/context.h"

namespace vyre::backend::cuda {

// open_cuda and adopt_cuda, with libraries that are loaded. Compilers are large: they are loaded
// only where the driver has a device.
Expected<std::vector<std::shared_ptr<Device>>> open_all(
    const std::shared_ptr<const Driver>& driver,
    const std::function<Expected<Compilers>()>& load_compilers, const DeviceOptions& options);
Expected<std::shared_ptr<Device>> adopt(const std::shared_ptr<const Driver>& driver,
                                        const Compilers& compilers, const CudaHandles& handles,
                                        const DeviceOptions& options);

// The context of a device of CUDA or HIP, which is made if there is none yet. bad_inputs: it is
// another backend's device.
Expected<std::shared_ptr<Context>> context_of(Device& device);

}  // namespace vyre::backend::cuda
