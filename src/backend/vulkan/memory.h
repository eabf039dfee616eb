// Memory: a VkBuffer with the memory that is bound to it, and the last command that uses it.
//
// Buffers, their parts and the batches that use them share it; it is freed with the last of them.

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "backend/vulkan/device_handle.h"

namespace vyre::backend::vulkan {

// Where memory lies. `mapped` and `staging` are seen by the host.
enum class Place : std::uint8_t { device, mapped, staging };

class Memory {
 public:
  // backend: there is not as much. The content is not defined.
  static Expected<std::shared_ptr<Memory>> allocate(const std::shared_ptr<DeviceHandle>& device,
                                                    VkPhysicalDevice physical, std::size_t bytes,
                                                    Place place);
  // The application's buffer, which it keeps alive.
  static std::shared_ptr<Memory> adopt(VkBuffer buffer);

  VkBuffer buffer() const { return buffer_; }
  // Null: the host does not see it.
  std::byte* mapped() const { return mapped_; }

  // The serial of the last command that uses it (Stream::record).
  std::uint64_t last_use() const { return last_use_; }
  void note_use(std::uint64_t serial) { last_use_ = serial; }

 private:
  Memory() = default;
  Expected<void> bind(const std::shared_ptr<DeviceHandle>& device, VkPhysicalDevice physical,
                      Place place);

  Owned<VkDeviceMemory> memory_;  // behind the buffer in time: freed after it
  Owned<VkBuffer> owned_;
  VkBuffer buffer_ = nullptr;
  std::byte* mapped_ = nullptr;
  std::atomic<std::uint64_t> last_use_ = 0;
};

// Whether the device has memory of that place.
bool has_place(const Instance& instance, VkPhysicalDevice device, Place place);

}  // namespace vyre::backend::vulkan
