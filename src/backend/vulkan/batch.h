// Batch: commands that are recorded into one command buffer and submitted together. Used again when
// the device has done them.
//
// Not thread-safe: its Stream guards it. Only is_done and wait may be called by any thread.

#pragma once

#include <memory>
#include <vector>

#include "backend/vulkan/device_handle.h"

namespace vyre::backend::vulkan {

class Batch {
 public:
  // Room of one batch, and so the most that a launch may use: Vulkan's devices have from 4 storage
  // buffers for one kernel on.
  static constexpr std::uint32_t kMostCommands = 64;
  static constexpr std::uint32_t kMostDescriptors = 1024;

  static Expected<std::shared_ptr<Batch>> make(std::shared_ptr<DeviceHandle> device,
                                               std::uint32_t queue_family);

  // Starts recording; `serial` is its place among all batches.
  Expected<void> begin(std::uint64_t serial);
  Expected<void> submit(VkQueue queue);
  Expected<bool> is_done();
  Expected<void> wait();
  // Lets go of everything, behind the last command.
  Expected<void> reset();

  bool has_room(std::uint32_t descriptors) const {
    return commands_ < kMostCommands && descriptors_ + descriptors <= kMostDescriptors;
  }
  bool is_full() const { return commands_ == kMostCommands; }
  std::uint64_t serial() const { return serial_; }
  DeviceHandle& device() const { return *device_; }

  VkCommandBuffer commands() const { return recorded_; }
  Expected<VkDescriptorSet> allocate_set(VkDescriptorSetLayout layout, std::uint32_t descriptors);
  // The object is not destroyed before the commands are done.
  void keep(std::shared_ptr<const void> object) { kept_.push_back(std::move(object)); }
  // Behind each command: the next one, and the host, see what it wrote.
  void end_command();

 private:
  explicit Batch(std::shared_ptr<DeviceHandle> device) : device_(std::move(device)) {}
  Expected<void> allocate(std::uint32_t queue_family);

  std::shared_ptr<DeviceHandle> device_;
  Owned<VkCommandPool> pool_;
  Owned<VkDescriptorPool> sets_;
  Owned<VkFence> fence_;
  VkCommandBuffer recorded_ = nullptr;
  std::uint64_t serial_ = 0;
  std::uint32_t commands_ = 0;
  std::uint32_t descriptors_ = 0;
  std::vector<std::shared_ptr<const void>> kept_;
};

}  // namespace vyre::backend::vulkan
