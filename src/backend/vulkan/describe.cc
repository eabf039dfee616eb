#include "backend/vulkan/describe.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/hex.h"
#include "base/text.h"

namespace vyre::backend::vulkan {
namespace {

// Where parts of a buffer begin at least: fills and copies want multiples of 4, and a cache line
// between two buffers does no harm.
constexpr std::size_t kLeastPartAlignment = 64;

// Structures that a driver fills in one call. Each points to the next.
struct Properties {
  VkPhysicalDeviceProperties2 all{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = nullptr, .properties = {}};
  VkPhysicalDeviceIDProperties ids{};
  VkPhysicalDeviceMaintenance3Properties allocation{};
  VkPhysicalDeviceDriverProperties driver{};
  VkPhysicalDeviceFloatControlsProperties floats{};
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci{};

  template <class Structure>
  void add(Structure& structure, VkStructureType type) {
    structure.sType = type;
    structure.pNext = all.pNext;
    all.pNext = &structure;
  }
};

bool has_pci_extension(const InstanceFunctions& call, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  call.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> found(count);
  if (call.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, found.data()) < 0) {
    return false;
  }
  return std::ranges::any_of(found, [](const VkExtensionProperties& extension) {
    return std::strcmp(extension.extensionName, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME) == 0;
  });
}

void ask(const InstanceFunctions& call, VkPhysicalDevice device, Properties& out) {
  VkPhysicalDeviceProperties2 first = out.all;
  call.vkGetPhysicalDeviceProperties2(device, &first);
  out.add(out.ids, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  out.add(out.allocation, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
  if (first.properties.apiVersion >= VK_API_VERSION_1_2) {
    out.add(out.driver, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    out.add(out.floats, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
  }
  if (has_pci_extension(call, device)) {
    out.add(out.pci, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
  }
  if (first.properties.apiVersion >= VK_API_VERSION_1_1) {
    call.vkGetPhysicalDeviceProperties2(device, &out.all);
  } else {
    out.all.properties = first.properties;
  }
}

// Those that cost something while nobody uses them stay off.
Features features_of(const InstanceFunctions& call, VkPhysicalDevice device, std::uint32_t minor) {
  Features out;
  VkPhysicalDeviceFeatures2 all{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = nullptr, .features = {}};
  out.of_1_1.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  out.of_1_2.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  if (minor >= 2) {
    all.pNext = &out.of_1_1;
    out.of_1_1.pNext = &out.of_1_2;
  }
  call.vkGetPhysicalDeviceFeatures2(device, &all);
  out.core = all.features;
  out.core.robustBufferAccess = VK_FALSE;
  out.of_1_1.protectedMemory = VK_FALSE;
  out.of_1_2.bufferDeviceAddressCaptureReplay = VK_FALSE;
  out.of_1_2.bufferDeviceAddressMultiDevice = VK_FALSE;
  out.of_1_1.pNext = nullptr;
  return out;
}

DeviceKind kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return DeviceKind::cpu;
    case VK_PHYSICAL_DEVICE_TYPE_OTHER:
      return DeviceKind::accelerator;
    default:
      return DeviceKind::gpu;
  }
}

// Vulkan over Metal, over Direct3D, and over the Vulkan of a virtual machine's host.
bool is_layered_driver(VkDriverId driver) {
  return driver == VK_DRIVER_ID_MOLTENVK || driver == VK_DRIVER_ID_MESA_DOZEN ||
         driver == VK_DRIVER_ID_MESA_VENUS;
}

struct QueueFamily {
  std::uint32_t index = 0;
  std::uint32_t tick_bits = 0;
};

// The first that computes, with a clock if one of them has it.
std::optional<QueueFamily> compute_family(const InstanceFunctions& call, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  call.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  call.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  std::optional<QueueFamily> out;
  for (std::uint32_t k = 0; k < count; ++k) {
    if ((families[k].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0 || families[k].queueCount == 0) {
      continue;
    }
    const bool is_better = !out || (out->tick_bits == 0 && families[k].timestampValidBits > 0);
    if (is_better) out = {k, families[k].timestampValidBits};
  }
  return out;
}

std::uint64_t device_memory(const InstanceFunctions& call, VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryProperties memory{};
  call.vkGetPhysicalDeviceMemoryProperties(device, &memory);
  std::uint64_t most = 0;
  for (std::uint32_t k = 0; k < memory.memoryHeapCount; ++k) {
    const VkMemoryHeap& heap = memory.memoryHeaps[k];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) most = std::max(most, heap.size);
  }
  return most;
}

// Versions are packed in the same way by all but NVIDIA's driver, which names its own in a text.
std::string driver_text(const Properties& p) {
  const std::string info = escaped(p.driver.driverInfo);
  if (!info.empty()) return info;
  const std::uint32_t version = p.all.properties.driverVersion;
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                     VK_API_VERSION_PATCH(version));
}

HardwareId hardware_of(const Properties& p) {
  HardwareId out{.uuid = to_hex(p.ids.deviceUUID)};
  if (p.pci.sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT) return out;
  out.pci = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", p.pci.pciDomain, p.pci.pciBus, p.pci.pciDevice,
                        p.pci.pciFunction);
  return out;
}

DeviceLimits limits_of(const Properties& p, std::uint64_t memory_bytes, bool is_cpu) {
  const VkPhysicalDeviceLimits& limits = p.all.properties.limits;
  return {.workgroup_items = limits.maxComputeWorkGroupInvocations,
          .workgroup_size = std::to_array(limits.maxComputeWorkGroupSize),
          .buffer_bytes = std::min<std::uint64_t>(limits.maxStorageBufferRange,
                                                  p.allocation.maxMemoryAllocationSize),
          .local_bytes = limits.maxComputeSharedMemorySize,
          // Vulkan does not say how many a GPU has.
          .compute_units = is_cpu ? std::thread::hardware_concurrency() : 0,
          .memory_bytes = memory_bytes};
}

DeviceInfo info_of(const Properties& p, const QueueFamily& family, std::uint64_t memory_bytes) {
  const VkPhysicalDeviceProperties& properties = p.all.properties;
  DeviceInfo out;
  out.backend = "vulkan";
  out.platform = escaped(p.driver.driverName);
  out.name = escaped(properties.deviceName);
  out.driver = driver_text(p);
  out.language = fmt::format("Vulkan {}.{}, GLSL 4.6", VK_API_VERSION_MAJOR(properties.apiVersion),
                             VK_API_VERSION_MINOR(properties.apiVersion));
  out.kind = kind_of(properties.deviceType);
  out.is_layered = is_layered_driver(p.driver.driverID);
  out.shares_host_cores = out.kind == DeviceKind::cpu;
  if (out.kind != DeviceKind::cpu) {
    out.hardware = hardware_of(p);
    out.untried = "this backend was tested on Mesa's lavapipe only, never on a card";
  }
  if (family.tick_bits > 0) {
    out.clock_step_ns = static_cast<std::uint64_t>(
        std::max(std::ceil(static_cast<double>(properties.limits.timestampPeriod)), 1.0));
  }
  out.limits = limits_of(p, memory_bytes, out.kind == DeviceKind::cpu);
  out.part_alignment =
      std::max<std::size_t>(properties.limits.minStorageBufferOffsetAlignment, kLeastPartAlignment);
  return out;
}

DeviceFacts facts_of(const Properties& p, const QueueFamily& family, const DeviceInfo& info) {
  const VkPhysicalDeviceProperties& properties = p.all.properties;
  const VkPhysicalDeviceLimits& limits = properties.limits;
  const bool is_cpu = info.kind == DeviceKind::cpu;
  DeviceFacts out;
  out.minor = std::min(VK_API_VERSION_MINOR(properties.apiVersion), kNewestMinor);
  out.queue_family = family.index;
  out.grid = std::to_array(limits.maxComputeWorkGroupCount);
  out.storage_range = limits.maxStorageBufferRange;
  out.allocation_bytes = p.allocation.maxMemoryAllocationSize;
  out.push_bytes = limits.maxPushConstantsSize;
  out.shared_bytes = limits.maxComputeSharedMemorySize;
  out.kernel_buffers =
      std::min(limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers);
  out.part_alignment = info.part_alignment;
  out.tick_ns = static_cast<double>(limits.timestampPeriod);
  out.tick_bits = family.tick_bits;
  out.shares_memory = is_cpu || properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  out.compiles_at_launch = is_cpu;
  out.preserves_specials = p.floats.shaderSignedZeroInfNanPreserveFloat32 == VK_TRUE;
  std::ranges::copy(properties.pipelineCacheUUID, out.pipeline_cache_uuid.begin());
  out.driver = info.driver;
  return out;
}

}  // namespace

Expected<Described> describe(const Instance& instance, VkPhysicalDevice device) {
  const InstanceFunctions& call = instance.call();
  Properties properties;
  ask(call, device, properties);
  const VkPhysicalDeviceProperties& core = properties.all.properties;
  if (core.apiVersion < VK_API_VERSION_1_1) {
    return rejected("{} has Vulkan 1.0 only; install a driver for 1.1 or newer",
                    quote(core.deviceName));
  }
  const auto family = compute_family(call, device);
  if (!family) return rejected("{} has no queue that computes", quote(core.deviceName));
  Described out;
  out.info = info_of(properties, *family, device_memory(call, device));
  out.facts = facts_of(properties, *family, out.info);
  out.facts.device = device;
  out.facts.features = features_of(call, device, out.facts.minor);
  return out;
}

}  // namespace vyre::backend::vulkan
