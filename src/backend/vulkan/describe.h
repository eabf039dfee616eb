// What a driver says of a physical device.

#pragma once

#include <array>

#include "backend/vulkan/instance.h"

namespace vyre::backend::vulkan {

// Features as the driver lists them, which the backend enables. The last two are asked for, and
// may be enabled, from Vulkan 1.2 on.
struct Features {
  VkPhysicalDeviceFeatures core{};
  VkPhysicalDeviceVulkan11Features of_1_1{};
  VkPhysicalDeviceVulkan12Features of_1_2{};
};

// Facts of a device that its context needs.
struct DeviceFacts {
  VkPhysicalDevice device = nullptr;
  std::uint32_t minor = 1;         // of its version of Vulkan, at most kNewestMinor
  std::uint32_t queue_family = 0;  // that computes
  Features features{};
  Extent grid{};                       // the most workgroups on each axis
  std::uint64_t storage_range = 0;     // bytes of a buffer that a kernel can reach
  std::uint64_t allocation_bytes = 0;  // the largest
  std::uint32_t push_bytes = 0;        // push constants
  std::uint32_t shared_bytes = 0;      // of a workgroup
  std::uint32_t kernel_buffers = 0;    // that one kernel can use
  std::size_t part_alignment = 0;
  double tick_ns = 0;               // of the queue's clock
  std::uint32_t tick_bits = 0;      // of its values; 0: it has none
  bool shares_memory = false;       // with the host, so that no copy is faster through staging
  bool compiles_at_launch = false;  // and not when a pipeline is made
  bool preserves_specials = false;  // SignedZeroInfNanPreserve of f32
  std::array<std::uint8_t, 16> pipeline_cache_uuid{};
  std::string driver{};  // as DeviceInfo has it
};

struct Described {
  DeviceInfo info;
  DeviceFacts facts;
};
// rejected: the device does not compute, or has Vulkan 1.0 only. backend: the driver does not say.
Expected<Described> describe(const Instance& instance, VkPhysicalDevice device);

}  // namespace vyre::backend::vulkan
