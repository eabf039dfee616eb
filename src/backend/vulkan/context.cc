#include "backend/vulkan/context.h"

#include <algorithm>
#include <cstring>

#include "backend/vulkan/quirks.h"

namespace vyre::backend::vulkan {
namespace {

constexpr std::size_t kStagingBytes = std::size_t{4} << 20U;
constexpr std::size_t kZeroBytes = 256;

}  // namespace

Context::Context(const DeviceFacts& facts, const DeviceOptions& options)
    : facts_(facts), options_(options), store_(options.binary_store) {}

Expected<std::shared_ptr<Context>> Context::make(std::shared_ptr<const Instance> instance,
                                                 const DeviceFacts& facts,
                                                 const DeviceOptions& options, bool force_staging) {
  std::shared_ptr<Context> out(new Context(facts, options));
  const bool is_mapped =
      facts.shares_memory && !force_staging && has_place(*instance, facts.device, Place::mapped);
  out->place_ = is_mapped ? Place::mapped : Place::device;
  VYRE_TRY(out->device_, DeviceHandle::make(std::move(instance), facts));
  VkQueue queue = nullptr;
  out->call().vkGetDeviceQueue(out->device_->get(), facts.queue_family, 0, &queue);
  VYRE_TRY_VOID(out->start(queue, facts.queue_family, false));
  VYRE_TRY(out->quirks_, probe_quirks(out));
  return out;
}

Expected<std::shared_ptr<Context>> Context::adopt(std::shared_ptr<const Instance> instance,
                                                  const DeviceFacts& facts,
                                                  const VulkanHandles& handles,
                                                  const DeviceOptions& options) {
  std::shared_ptr<Context> out(new Context(facts, options));
  const bool is_mapped = facts.shares_memory && has_place(*instance, facts.device, Place::mapped);
  out->place_ = is_mapped ? Place::mapped : Place::device;
  VYRE_TRY(out->device_, DeviceHandle::adopt(std::move(instance), handles.device));
  VYRE_TRY_VOID(out->start(handles.queue, handles.queue_family, true));
  VYRE_TRY(out->quirks_, probe_quirks(out));
  return out;
}

Expected<void> Context::start(VkQueue queue, std::uint32_t queue_family, bool is_eager) {
  stream_ = std::make_unique<Stream>(device_, queue, queue_family, is_eager);
  VYRE_TRY(zeros_, Memory::allocate(device_, facts_.device, kZeroBytes, Place::staging));
  std::memset(zeros_->mapped(), 0, kZeroBytes);
  return {};
}

Expected<std::shared_ptr<Memory>> Context::allocate(std::size_t bytes) const {
  if (bytes > facts_.allocation_bytes) {
    return backend_error(
        "a buffer of {} bytes is more than the {} that the device allocates at once; use smaller "
        "buffers",
        bytes, facts_.allocation_bytes);
  }
  return Memory::allocate(device_, facts_.device, bytes, place_);
}

Expected<void> Context::make_staging() {
  if (staging_ != nullptr) return {};
  VYRE_TRY(staging_, Memory::allocate(device_, facts_.device, kStagingBytes, Place::staging));
  return {};
}

// The staging buffer is used again as soon as this returns.
Expected<void> Context::copy(Memory& memory, const VkBufferCopy& region, bool is_upload) {
  const VkBuffer from = is_upload ? staging_->buffer() : memory.buffer();
  const VkBuffer to = is_upload ? memory.buffer() : staging_->buffer();
  VYRE_TRY(const std::uint64_t serial, stream_->record(0, [&](Batch& batch) -> Expected<void> {
    call().vkCmdCopyBuffer(batch.commands(), from, to, 1, &region);
    return {};
  }));
  return stream_->wait(serial);
}

Expected<void> Context::upload(Memory& to, std::size_t offset, std::span<const std::byte> bytes) {
  const std::lock_guard lock(staging_mutex_);
  VYRE_TRY_VOID(make_staging());
  for (std::size_t done = 0; done < bytes.size(); done += kStagingBytes) {
    const std::size_t now = std::min(bytes.size() - done, kStagingBytes);
    std::memcpy(staging_->mapped(), bytes.data() + done, now);
    VYRE_TRY_VOID(copy(to, {.srcOffset = 0, .dstOffset = offset + done, .size = now}, true));
  }
  return {};
}

Expected<void> Context::download(Memory& from, std::size_t offset, std::span<std::byte> bytes) {
  const std::lock_guard lock(staging_mutex_);
  VYRE_TRY_VOID(make_staging());
  for (std::size_t done = 0; done < bytes.size(); done += kStagingBytes) {
    const std::size_t now = std::min(bytes.size() - done, kStagingBytes);
    VYRE_TRY_VOID(copy(from, {.srcOffset = offset + done, .dstOffset = 0, .size = now}, false));
    std::memcpy(bytes.data() + done, staging_->mapped(), now);
  }
  return {};
}

std::shared_ptr<const Pipeline> Context::find_pipeline(const Hash& key) {
  const std::lock_guard lock(mutex_);
  const auto it = pipelines_.find(key);
  return it == pipelines_.end() ? nullptr : it->second.lock();
}

void Context::add_pipeline(const Hash& key, const std::shared_ptr<const Pipeline>& pipeline) {
  const std::lock_guard lock(mutex_);
  std::erase_if(pipelines_, [](const auto& entry) { return entry.second.expired(); });
  pipelines_[key] = pipeline;
}

}  // namespace vyre::backend::vulkan
