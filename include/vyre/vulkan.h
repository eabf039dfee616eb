// Vulkan devices: any vendor's, through the installed loader; and sharing with an application that
// uses Vulkan itself.
//
// The loader (libvulkan.so.1) is opened by dlopen when a device is asked for: one build of vyre
// runs with and without it. Kernels are compiled to SPIR-V inside the library. docs/backends.md
// says what a device needs, and what was tried on real hardware.
//
// Threads: as vyre/device.h says. Launches are recorded in order. They are submitted to the
// device's queue at once while it is idle, and together with those that follow while it is busy;
// Device::finish submits and waits. A device that is lost stays lost to the process, and errors say
// so.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vyre/device.h"

// Vulkan's handles, as vulkan/vulkan_core.h declares them on 64-bit machines.
struct VkInstance_T;
struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkQueue_T;
struct VkBuffer_T;

namespace vyre {

struct VulkanOptions {
  std::string loader{};  // its library, as dlopen takes it; empty: libvulkan.so.1
  // Use Vulkan's validation layers, whose messages vulkan_messages() lists. `backend`: there are
  // none.
  bool validate = false;
  // Copy through a staging buffer even where the host sees the device's memory.
  bool force_staging = false;
};

// All devices of all drivers that have Vulkan 1.1 and can compute: GPUs first, then the others, and
// among equals in the loader's order. `backend`: no loader, no driver, or no such device.
Expected<std::vector<std::shared_ptr<Device>>> open_vulkan(const DeviceOptions& options,
                                                           const VulkanOptions& vulkan);
Expected<std::vector<std::shared_ptr<Device>>> open_vulkan(const DeviceOptions& options = {});

// An application's own handles. The application keeps them alive as long as the device or anything
// made from it, and submits nothing to the queue while another thread calls vyre. Every launch is
// submitted at once, so that what the application submits next comes behind it.
struct VulkanHandles {
  VkInstance_T* instance = nullptr;  // of Vulkan 1.1 or newer
  VkPhysicalDevice_T* physical_device = nullptr;
  VkDevice_T* device = nullptr;
  VkQueue_T* queue = nullptr;  // can compute
  std::uint32_t queue_family = 0;
  // Features that the application enabled when it made the device. Kernels that need one that was
  // not enabled are `rejected`.
  bool has_int64 = false;          // shaderInt64
  bool has_int64_atomics = false;  // shaderBufferInt64Atomics and shaderSharedInt64Atomics
  bool has_float64 = false;        // shaderFloat64
  // The application's vkGetInstanceProcAddr; null: that of libvulkan.so.1.
  void* get_instance_proc_addr = nullptr;
};
Expected<std::shared_ptr<Device>> adopt_vulkan(const VulkanHandles& handles,
                                               const DeviceOptions& options = {});

// The application's buffer on such a device: its first `bytes` bytes. It was made with the usages
// storage buffer, transfer source and transfer destination, and memory is bound to it. The
// application keeps it alive as long as the buffer, its parts, and what was launched with them.
Expected<std::unique_ptr<Buffer>> adopt_vulkan_buffer(Device& device, VkBuffer_T* buffer,
                                                      std::size_t bytes);

// What this process holds through vyre, and what was compiled. For tests and reports.
struct VulkanCounts {
  std::int64_t instances = 0;
  std::int64_t devices = 0;
  std::int64_t buffers = 0;  // with their memory
  std::int64_t pipelines = 0;
  std::int64_t objects = 0;       // all others: fences, pools, layouts, caches
  std::uint64_t compiled = 0;     // kernels compiled from source, since the process began
  std::uint64_t loaded = 0;       // kernels taken from the binary store
  std::uint64_t damaged = 0;      // files of the store that could not be used, and were replaced
  std::uint64_t unsaved = 0;      // kernels that could not be written to the store
  std::uint64_t submissions = 0;  // to queues

  // The instances of open_vulkan stay until the process ends.
  std::int64_t live() const { return devices + buffers + pipelines + objects; }
};
VulkanCounts vulkan_counts();

// What the validation layers have said since the process began, at most the first 100.
std::vector<std::string> vulkan_messages();

}  // namespace vyre
