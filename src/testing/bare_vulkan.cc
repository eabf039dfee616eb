#include "testing/bare_vulkan.h"

#include <dlfcn.h>

#include <array>

namespace vyre::testing {

Vulkan::Vulkan() { why_not = open(); }

std::string Vulkan::open() {
  void* library = ::dlopen("libvulkan.so.1", RTLD_NOW);
  if (library == nullptr) return "libvulkan.so.1 cannot be opened";
  const auto get =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(::dlsym(library, "vkGetInstanceProcAddr"));
  if (get == nullptr) return "libvulkan.so.1 has no vkGetInstanceProcAddr";
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  auto application = start_of<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.apiVersion = VK_API_VERSION_1_1;
  auto info = start_of<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  VkInstance instance = nullptr;
  if (create(&info, nullptr, &instance) != VK_SUCCESS) return "there is no Vulkan driver";
  return make_device(get, instance);
}

std::string Vulkan::make_device(PFN_vkGetInstanceProcAddr get, VkInstance instance) {
#define VYRE_LOCAL(name) \
  const auto name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name));
  VYRE_LOCAL(EnumeratePhysicalDevices)
  VYRE_LOCAL(GetPhysicalDeviceMemoryProperties)
  VYRE_LOCAL(GetPhysicalDeviceFeatures)
  VYRE_LOCAL(GetPhysicalDeviceQueueFamilyProperties)
  VYRE_LOCAL(CreateDevice)
  VYRE_LOCAL(GetDeviceProcAddr)
#undef VYRE_LOCAL
  std::uint32_t one = 1;
  VkPhysicalDevice physical = nullptr;
  EnumeratePhysicalDevices(instance, &one, &physical);
  if (one == 0) return "there is no Vulkan device";
  VkPhysicalDeviceFeatures all{};
  GetPhysicalDeviceFeatures(physical, &all);
  if (all.shaderInt64 == VK_FALSE || all.shaderFloat64 == VK_FALSE) {
    return "the Vulkan device lacks 64-bit integers or doubles";
  }
  std::array<VkQueueFamilyProperties, 8> families{};
  std::uint32_t count = families.size();
  GetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  while (family < count && (families[family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) ++family;
  VkPhysicalDeviceMemoryProperties memory{};
  GetPhysicalDeviceMemoryProperties(physical, &memory);
  constexpr VkMemoryPropertyFlags kHost =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  while (memory_type < memory.memoryTypeCount &&
         (memory.memoryTypes[memory_type].propertyFlags & kHost) != kHost) {
    ++memory_type;
  }
  if (family == count || memory_type == memory.memoryTypeCount) {
    return "the Vulkan device has no queue for compute, or no memory for the host";
  }
  const float priority = 1;
  auto queues = start_of<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queues.queueFamilyIndex = family;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkPhysicalDeviceFeatures wanted{};
  wanted.shaderInt64 = VK_TRUE;
  wanted.shaderFloat64 = VK_TRUE;
  auto info = start_of<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.pEnabledFeatures = &wanted;
  if (CreateDevice(physical, &info, nullptr, &device) != VK_SUCCESS) {
    return "the Vulkan device does not open";
  }
#define VYRE_LOAD(name) \
  name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
  VYRE_VULKAN_CALLS(VYRE_LOAD)
#undef VYRE_LOAD
  GetDeviceQueue(device, family, 0, &queue);
  return "";
}

const Vulkan& vulkan() {
  static const Vulkan one;
  return one;
}

}  // namespace vyre::testing
