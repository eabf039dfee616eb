#include "backend/vulkan/memory.h"

#include <optional>

namespace vyre::backend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kVisible =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

VkMemoryPropertyFlags wanted(Place place) {
  switch (place) {
    case Place::device:
      return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    case Place::mapped:
      return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | kVisible;
    case Place::staging:
      return kVisible;
  }
  return 0;
}

// The first type that has what is wanted; cached ones before others where the host reads.
std::optional<std::uint32_t> find_type(const Instance& instance, VkPhysicalDevice device,
                                       Place place, std::uint32_t allowed) {
  VkPhysicalDeviceMemoryProperties types{};
  instance.call().vkGetPhysicalDeviceMemoryProperties(device, &types);
  const VkMemoryPropertyFlags flags = wanted(place);
  const VkMemoryPropertyFlags better =
      place == Place::device ? flags : flags | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  for (const VkMemoryPropertyFlags has : {better, flags}) {
    for (std::uint32_t k = 0; k < types.memoryTypeCount; ++k) {
      const bool is_allowed = (allowed >> k & 1U) != 0;
      if (is_allowed && (types.memoryTypes[k].propertyFlags & has) == has) return k;
    }
  }
  return std::nullopt;
}

}  // namespace

bool has_place(const Instance& instance, VkPhysicalDevice device, Place place) {
  return find_type(instance, device, place, ~0U).has_value();
}

Expected<std::shared_ptr<Memory>> Memory::allocate(const std::shared_ptr<DeviceHandle>& device,
                                                   VkPhysicalDevice physical, std::size_t bytes,
                                                   Place place) {
  constexpr std::size_t kWord = 4;  // fills and copies of whole words may reach into the last one
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .pNext = nullptr,
                                .flags = 0,
                                .size = (bytes + kWord - 1) / kWord * kWord,
                                .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                .queueFamilyIndexCount = 0,
                                .pQueueFamilyIndices = nullptr};
  std::shared_ptr<Memory> out(new Memory);
  VYRE_TRY(out->owned_, make_object(device, device->call().vkCreateBuffer, info,
                                    fmt::format("a buffer of {} bytes", bytes)));
  out->buffer_ = out->owned_.get();
  VYRE_TRY_VOID(out->bind(device, physical, place));
  return out;
}

Expected<void> Memory::bind(const std::shared_ptr<DeviceHandle>& device, VkPhysicalDevice physical,
                            Place place) {
  const DeviceFunctions& call = device->call();
  VkMemoryRequirements needs{};
  call.vkGetBufferMemoryRequirements(device->get(), buffer_, &needs);
  const auto type = find_type(device->instance(), physical, place, needs.memoryTypeBits);
  const std::string what = fmt::format("a buffer of {} bytes", needs.size);
  if (!type) return backend_error("{}: the device has no memory for it; use another device", what);
  const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .pNext = nullptr,
                                  .allocationSize = needs.size,
                                  .memoryTypeIndex = *type};
  VYRE_TRY(memory_, make_object(device, call.vkAllocateMemory, info, what));
  VYRE_TRY_VOID(
      device->check(call.vkBindBufferMemory(device->get(), buffer_, memory_.get(), 0), what));
  if (place == Place::device) return {};
  void* mapped = nullptr;
  VYRE_TRY_VOID(device->check(
      call.vkMapMemory(device->get(), memory_.get(), 0, VK_WHOLE_SIZE, 0, &mapped), what));
  mapped_ = static_cast<std::byte*>(mapped);
  return {};
}

std::shared_ptr<Memory> Memory::adopt(VkBuffer buffer) {
  std::shared_ptr<Memory> out(new Memory);
  out->buffer_ = buffer;
  return out;
}

}  // namespace vyre::backend::vulkan
