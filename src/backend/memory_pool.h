// MemoryPool: buffers on one device for calls whose memory is the host's, and scratch between the
// steps of a sequence.
//
// A buffer may be given back while commands that use it are still under way: a device runs its
// commands in the order in which they were enqueued, so the next user comes after them.
//
// Thread-safe; its lock is held while a list is searched, never while memory is allocated.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "vyre/device.h"

namespace vyre::backend {

class MemoryPool {
 public:
  explicit MemoryPool(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  // Exactly so many bytes, of any content.
  Expected<std::unique_ptr<Buffer>> take(std::size_t bytes);
  // Kept for the next one that needs its size, unless too much is kept already.
  void give(std::unique_ptr<Buffer> buffer);

 private:
  std::shared_ptr<Device> device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> free_;  // the one given back last at the end
  std::uint64_t free_bytes_ = 0;
};

}  // namespace vyre::backend
