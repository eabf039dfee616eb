#include "backend/vulkan/devices.h"

#include <algorithm>

#include "backend/common/lazy_device.h"
#include "backend/ranking.h"
#include "backend/vulkan/buffer.h"
#include "backend/vulkan/timer.h"
#include "backend/vulkan/vulkan_kernel.h"

namespace vyre::backend::vulkan {
namespace {

using VulkanDevice = LazyDevice<Context, VulkanBuffer, VulkanTimer>;

}  // namespace

Expected<std::vector<std::shared_ptr<Device>>> open_all(
    const std::shared_ptr<const Instance>& instance, const DeviceOptions& options,
    bool force_staging) {
  VYRE_TRY(const auto physical, instance->physical_devices());
  std::vector<Described> found;
  std::optional<Error> first;
  for (VkPhysicalDevice device : physical) {
    auto described = describe(*instance, device);
    if (described) {  // behind those that are as good
      const auto place =
          std::ranges::upper_bound(found, described->info, is_better, &Described::info);
      found.insert(place, *std::move(described));
    } else if (!first) {
      first = std::move(described).error();
    }
  }
  if (found.empty()) {
    return backend_error("there is no Vulkan device{}{}; install a driver for one",
                         first ? ": " : "", first ? first->message : "");
  }
  std::vector<std::shared_ptr<Device>> out;
  for (Described& described : found) {
    described.info.selector = fmt::format("vulkan:{}", out.size());
    // On a processor an access outside a buffer may end in memory of the process. Every driver has
    // this feature, and lavapipe checks each access even without it.
    if (options.guard_bytes > 0 && described.info.kind == DeviceKind::cpu) {
      described.facts.features.core.robustBufferAccess = VK_TRUE;
    }
    out.push_back(std::make_shared<VulkanDevice>(
        std::move(described.info),
        [instance, facts = std::move(described.facts), options, force_staging] {
          return Context::make(instance, facts, options, force_staging);
        }));
  }
  return out;
}

Expected<std::shared_ptr<Device>> adopt(const std::shared_ptr<const Instance>& instance,
                                        const VulkanHandles& handles,
                                        const DeviceOptions& options) {
  if (handles.physical_device == nullptr || handles.device == nullptr || handles.queue == nullptr) {
    return bad_inputs(
        "the physical device, the device or the queue is null; hand in all that belong together");
  }
  VYRE_TRY(Described described, describe(*instance, handles.physical_device));
  DeviceFacts& facts = described.facts;
  facts.queue_family = handles.queue_family;
  facts.features = {};
  facts.features.core.shaderInt64 = handles.has_int64 ? VK_TRUE : VK_FALSE;
  facts.features.core.shaderFloat64 = handles.has_float64 ? VK_TRUE : VK_FALSE;
  facts.features.of_1_2.shaderBufferInt64Atomics = handles.has_int64_atomics ? VK_TRUE : VK_FALSE;
  VYRE_TRY(auto context, Context::adopt(instance, facts, handles, options));
  return std::make_shared<VulkanDevice>(std::move(described.info), std::move(context));
}

Expected<std::shared_ptr<Context>> context_of(Device& device) {
  auto* vulkan_device = dynamic_cast<VulkanDevice*>(&device);
  if (vulkan_device != nullptr) return vulkan_device->opened();
  return bad_inputs("{} is no Vulkan device; adopt the buffer on one", device.info().name);
}

}  // namespace vyre::backend::vulkan
