// Context: one device with its VkDevice and queue, shared by what was made from it.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/common/binary_store.h"
#include "backend/vulkan/memory.h"
#include "backend/vulkan/stream.h"
#include "base/blake3.h"

namespace vyre::backend::vulkan {

class Pipeline;

class Context {
 public:
  static Expected<std::shared_ptr<Context>> make(std::shared_ptr<const Instance> instance,
                                                 const DeviceFacts& facts,
                                                 const DeviceOptions& options, bool force_staging);
  // The application's device and queue, which it keeps alive.
  static Expected<std::shared_ptr<Context>> adopt(std::shared_ptr<const Instance> instance,
                                                  const DeviceFacts& facts,
                                                  const VulkanHandles& handles,
                                                  const DeviceOptions& options);

  const std::shared_ptr<DeviceHandle>& device() const { return device_; }
  const DeviceFunctions& call() const { return device_->call(); }
  const DeviceFacts& facts() const { return facts_; }
  const DeviceOptions& options() const { return options_; }
  const BinaryStore& store() const { return store_; }
  Stream& stream() { return *stream_; }

  // Memory for buffers; `mapped` where the host may as well touch it directly.
  Expected<std::shared_ptr<Memory>> allocate(std::size_t bytes) const;
  // A few bytes that kernels may be bound to and copies may start from. They are zeros.
  const std::shared_ptr<Memory>& zeros() const { return zeros_; }

  // Copies between the host and memory that the host does not see, through a staging buffer.
  Expected<void> upload(Memory& to, std::size_t offset, std::span<const std::byte> bytes);
  Expected<void> download(Memory& from, std::size_t offset, std::span<std::byte> bytes);

  // What the text of our own kernels must know of the device: macros with their values.
  using Definitions = std::vector<std::pair<std::string, std::string>>;
  const Definitions& quirks() const { return quirks_; }

  // Pipelines that are in use: none is compiled twice while it is.
  std::shared_ptr<const Pipeline> find_pipeline(const Hash& key);
  void add_pipeline(const Hash& key, const std::shared_ptr<const Pipeline>& pipeline);

  // Waits for everything recorded.
  Expected<void> finish() { return stream_->finish(); }

 private:
  Context(const DeviceFacts& facts, const DeviceOptions& options);
  Expected<void> start(VkQueue queue, std::uint32_t queue_family, bool is_eager);
  Expected<void> copy(Memory& memory, const VkBufferCopy& region, bool is_upload);
  Expected<void> make_staging();

  std::shared_ptr<DeviceHandle> device_;
  DeviceFacts facts_;
  DeviceOptions options_;
  BinaryStore store_;
  Place place_ = Place::device;  // of buffers
  Definitions quirks_;
  std::shared_ptr<Memory> zeros_;
  std::mutex staging_mutex_;
  std::shared_ptr<Memory> staging_;
  std::mutex mutex_;
  std::map<Hash, std::weak_ptr<const Pipeline>> pipelines_;
  std::unique_ptr<Stream> stream_;  // the last: its end waits for commands that use the others
};

}  // namespace vyre::backend::vulkan
