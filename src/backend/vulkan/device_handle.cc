#include "backend/vulkan/device_handle.h"

namespace vyre::backend::vulkan {

Expected<std::shared_ptr<DeviceHandle>> DeviceHandle::make(std::shared_ptr<const Instance> instance,
                                                           const DeviceFacts& facts) {
  std::shared_ptr<DeviceHandle> out(new DeviceHandle(std::move(instance)));
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .pNext = nullptr,
                                      .flags = 0,
                                      .queueFamilyIndex = facts.queue_family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  Features features = facts.features;
  features.of_1_1.pNext = &features.of_1_2;
  const VkPhysicalDeviceFeatures2 enabled{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = facts.minor >= 2 ? &features.of_1_1 : nullptr,
                                          .features = features.core};
  const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                .pNext = &enabled,
                                .flags = 0,
                                .queueCreateInfoCount = 1,
                                .pQueueCreateInfos = &queue,
                                .enabledLayerCount = 0,
                                .ppEnabledLayerNames = nullptr,
                                .enabledExtensionCount = 0,
                                .ppEnabledExtensionNames = nullptr,
                                .pEnabledFeatures = nullptr};
  const InstanceFunctions& call = out->instance_->call();
  VYRE_TRY_VOID(out->check(call.vkCreateDevice(facts.device, &info, nullptr, &out->handle_),
                           "the device cannot be opened"));
  out->is_owned_ = true;
  ++vulkan_counters().devices;
  VYRE_TRY(out->call_, functions_of(call, out->handle_));
  return out;
}

Expected<std::shared_ptr<DeviceHandle>> DeviceHandle::adopt(
    std::shared_ptr<const Instance> instance, VkDevice device) {
  std::shared_ptr<DeviceHandle> out(new DeviceHandle(std::move(instance)));
  out->handle_ = device;
  VYRE_TRY(out->call_, functions_of(out->instance_->call(), device));
  return out;
}

DeviceHandle::~DeviceHandle() {
  if (!is_owned_) return;
  if (call_.vkDestroyDevice != nullptr) call_.vkDestroyDevice(handle_, nullptr);
  --vulkan_counters().devices;
}

Expected<void> DeviceHandle::check(VkResult code, std::string_view what) {
  if (code == VK_SUCCESS) return {};
  if (code == VK_ERROR_DEVICE_LOST) is_lost_ = true;
  return vulkan_error(code, what);
}

Expected<void> DeviceHandle::check_alive() {
  if (!is_lost_) return {};
  return backend_error(
      "the device is lost to this process since VK_ERROR_DEVICE_LOST (-4); start the process "
      "again");
}

}  // namespace vyre::backend::vulkan
