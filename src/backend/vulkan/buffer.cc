#include "backend/vulkan/buffer.h"

#include <algorithm>
#include <cstring>

#include "backend/common/range.h"
#include "backend/vulkan/timer.h"

namespace vyre::backend::vulkan {

Expected<std::unique_ptr<Buffer>> VulkanBuffer::allocate(const std::shared_ptr<Context>& context,
                                                         std::size_t bytes) {
  if (bytes == 0) return bad_inputs("a buffer of 0 bytes; give at least one");
  VYRE_TRY(std::shared_ptr<Memory> memory, context->allocate(bytes));
  std::byte* mapped = memory->mapped();
  std::unique_ptr<Buffer> out(new VulkanBuffer(context, std::move(memory), 0, bytes));
  if (mapped != nullptr) {
    std::memset(mapped, 0, bytes);
  } else {
    VYRE_TRY_VOID(out->fill_zero(bytes));
  }
  return out;
}

Expected<std::unique_ptr<Buffer>> VulkanBuffer::adopt(const std::shared_ptr<Context>& context,
                                                      VkBuffer buffer, std::size_t bytes) {
  if (buffer == nullptr) return bad_inputs("the VkBuffer is null; hand in one of the device");
  if (bytes == 0) return bad_inputs("a buffer of 0 bytes; give at least one");
  return std::unique_ptr<Buffer>(new VulkanBuffer(context, Memory::adopt(buffer), 0, bytes));
}

Expected<void> VulkanBuffer::write(std::size_t offset, std::span<const std::byte> bytes) {
  VYRE_TRY_VOID(check_range(offset, bytes.size(), size_));
  if (bytes.empty()) return {};
  if (memory_->mapped() == nullptr) return context_->upload(*memory_, offset_ + offset, bytes);
  VYRE_TRY_VOID(context_->stream().wait(memory_->last_use()));
  std::memcpy(memory_->mapped() + offset_ + offset, bytes.data(), bytes.size());
  return {};
}

Expected<void> VulkanBuffer::read(std::size_t offset, std::span<std::byte> bytes) const {
  VYRE_TRY_VOID(check_range(offset, bytes.size(), size_));
  if (bytes.empty()) return {};
  if (memory_->mapped() == nullptr) return context_->download(*memory_, offset_ + offset, bytes);
  VYRE_TRY_VOID(context_->stream().wait(memory_->last_use()));
  std::memcpy(bytes.data(), memory_->mapped() + offset_ + offset, bytes.size());
  return {};
}

// A fill has whole words. The bytes of a word that is not whole are copied: another buffer may have
// the rest of it.
Expected<void> VulkanBuffer::fill_zero(std::size_t bytes, Timer* timer) {
  constexpr std::size_t kWord = 4;
  VYRE_TRY_VOID(check_range(0, bytes, size_));
  if (bytes == 0) return {};
  const std::size_t whole = bytes / kWord * kWord;
  const VkBufferCopy rest{.srcOffset = 0, .dstOffset = offset_ + whole, .size = bytes - whole};
  const DeviceFunctions& call = context_->call();
  return VulkanTimer::record(*context_, timer, 0, [&](Batch& batch) -> Expected<void> {
    batch.keep(memory_);
    memory_->note_use(batch.serial());
    if (whole > 0) {
      call.vkCmdFillBuffer(batch.commands(), memory_->buffer(), offset_, whole, 0);
    }
    if (rest.size > 0) {
      call.vkCmdCopyBuffer(batch.commands(), context_->zeros()->buffer(), memory_->buffer(), 1,
                           &rest);
    }
    return {};
  });
}

Expected<void> VulkanBuffer::copy_from(const Buffer& from, std::size_t bytes) {
  const auto* other = dynamic_cast<const VulkanBuffer*>(&from);
  if (other == nullptr || other->device() != device()) {
    return bad_inputs("a copy from a buffer of another device; read it and write it instead");
  }
  VYRE_TRY_VOID(check_range(0, bytes, other->size()));
  VYRE_TRY_VOID(check_range(0, bytes, size_));
  if (bytes == 0) return {};
  const VkBufferCopy region{.srcOffset = other->offset_, .dstOffset = offset_, .size = bytes};
  const bool is_same = other->memory_->buffer() == memory_->buffer();
  if (is_same && region.srcOffset == region.dstOffset) return {};
  if (is_same && std::max(offset_, other->offset_) - std::min(offset_, other->offset_) < bytes) {
    return bad_inputs("a copy between parts of one buffer that overlap; copy in two steps");
  }
  return VulkanTimer::record(*context_, nullptr, 0, [&](Batch& batch) -> Expected<void> {
    for (const auto& memory : {memory_, other->memory_}) {
      batch.keep(memory);
      memory->note_use(batch.serial());
    }
    context_->call().vkCmdCopyBuffer(batch.commands(), other->memory_->buffer(), memory_->buffer(),
                                     1, &region);
    return {};
  });
}

Expected<std::unique_ptr<Buffer>> VulkanBuffer::part(std::size_t offset, std::size_t bytes) {
  VYRE_TRY_VOID(check_range(offset, bytes, size_));
  const std::size_t alignment = context_->facts().part_alignment;
  if (offset % alignment != 0) {
    return backend_error("a part of a buffer at offset {}; begin it at a multiple of {}", offset,
                         alignment);
  }
  return std::unique_ptr<Buffer>(new VulkanBuffer(context_, memory_, offset_ + offset, bytes));
}

}  // namespace vyre::backend::vulkan
