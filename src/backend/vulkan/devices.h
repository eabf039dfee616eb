// Devices of an instance that is there.

#pragma once

#include <memory>
#include <vector>

#include "backend/vulkan/context.h"

namespace vyre::backend::vulkan {

// open_vulkan and adopt_vulkan, with an instance. `backend`: there is no device that computes.
Expected<std::vector<std::shared_ptr<Device>>> open_all(
    const std::shared_ptr<const Instance>& instance, const DeviceOptions& options,
    bool force_staging = false);
Expected<std::shared_ptr<Device>> adopt(const std::shared_ptr<const Instance>& instance,
                                        const VulkanHandles& handles, const DeviceOptions& options);

// The context of a Vulkan device, which is made if there is none yet. bad_inputs: it is another
// backend's device.
Expected<std::shared_ptr<Context>> context_of(Device& device);

}  // namespace vyre::backend::vulkan
