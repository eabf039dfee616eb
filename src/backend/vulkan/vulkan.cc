#include "vyre/vulkan.h"

#include <map>
#include <mutex>

#include "backend/vulkan/buffer.h"
#include "backend/vulkan/devices.h"

namespace vyre {
namespace backend::vulkan {
namespace {

using InstancePtr = std::shared_ptr<const Instance>;

// Drivers are loaded with the first instance and unloaded with the last one, which takes long and
// which not every driver survives. So an instance stays until the process ends.
Expected<InstancePtr> shared_instance(const VulkanOptions& options) {
  static std::mutex mutex;
  static auto& instances = *new std::map<std::pair<std::string, bool>, InstancePtr>;
  const std::lock_guard lock(mutex);
  InstancePtr& known = instances[{options.loader, options.validate}];
  if (known == nullptr) {
    VYRE_TRY(const auto loader, open_loader(options.loader));
    VYRE_TRY(known, Instance::make(loader, options.validate));
  }
  return known;
}

Expected<InstancePtr> adopted_instance(const VulkanHandles& handles) {
  if (handles.instance == nullptr) {
    return bad_inputs("the instance is null; hand in the one that the device belongs to");
  }
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(handles.get_instance_proc_addr);
  VYRE_TRY(const auto loader, get == nullptr ? open_loader() : loader_with(get));
  return Instance::adopt(loader, handles.instance);
}

}  // namespace
}  // namespace backend::vulkan

Expected<std::vector<std::shared_ptr<Device>>> open_vulkan(const DeviceOptions& options,
                                                           const VulkanOptions& vulkan) {
  VYRE_TRY(const auto instance, backend::vulkan::shared_instance(vulkan));
  return backend::vulkan::open_all(instance, options, vulkan.force_staging);
}

Expected<std::vector<std::shared_ptr<Device>>> open_vulkan(const DeviceOptions& options) {
  return open_vulkan(options, VulkanOptions{});
}

Expected<std::shared_ptr<Device>> adopt_vulkan(const VulkanHandles& handles,
                                               const DeviceOptions& options) {
  VYRE_TRY(const auto instance, backend::vulkan::adopted_instance(handles));
  return backend::vulkan::adopt(instance, handles, options);
}

Expected<std::unique_ptr<Buffer>> adopt_vulkan_buffer(Device& device, VkBuffer_T* buffer,
                                                      std::size_t bytes) {
  VYRE_TRY(const auto context, backend::vulkan::context_of(device));
  return backend::vulkan::VulkanBuffer::adopt(context, buffer, bytes);
}

}  // namespace vyre
