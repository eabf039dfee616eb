// Memory on a Vulkan device.

#pragma once

#include <memory>

#include "backend/vulkan/context.h"

namespace vyre::backend::vulkan {

class VulkanBuffer final : public Buffer {
 public:
  // Zeros.
  static Expected<std::unique_ptr<Buffer>> allocate(const std::shared_ptr<Context>& context,
                                                    std::size_t bytes);
  static Expected<std::unique_ptr<Buffer>> adopt(const std::shared_ptr<Context>& context,
                                                 VkBuffer buffer, std::size_t bytes);

  std::size_t size() const override { return size_; }
  Expected<void> write(std::size_t offset, std::span<const std::byte> bytes) override;
  Expected<void> read(std::size_t offset, std::span<std::byte> bytes) const override;
  Expected<void> fill_zero(std::size_t bytes, Timer* timer = nullptr) override;
  Expected<void> copy_from(const Buffer& from, std::size_t bytes) override;
  Expected<std::unique_ptr<Buffer>> part(std::size_t offset, std::size_t bytes) override;

  const DeviceHandle* device() const { return context_->device().get(); }
  const std::shared_ptr<Memory>& memory() const { return memory_; }
  std::size_t offset() const { return offset_; }

 private:
  VulkanBuffer(std::shared_ptr<Context> context, std::shared_ptr<Memory> memory, std::size_t offset,
               std::size_t bytes)
      : context_(std::move(context)), memory_(std::move(memory)), offset_(offset), size_(bytes) {}

  std::shared_ptr<Context> context_;
  std::shared_ptr<Memory> memory_;
  std::size_t offset_;
  std::size_t size_;
};

}  // namespace vyre::backend::vulkan
