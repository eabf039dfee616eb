#include "backend/memory_pool.h"

#include <algorithm>
#include <utility>

namespace vyre::backend {
namespace {

// Applications repeat a few calls. More buffers than these wait for none of them.
constexpr std::size_t kMostBuffers = 64;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

}  // namespace

Expected<std::unique_ptr<Buffer>> MemoryPool::take(std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    const auto it = std::find_if(free_.rbegin(), free_.rend(),
                                 [&](const auto& buffer) { return buffer->size() == bytes; });
    if (it != free_.rend()) {
      free_bytes_ -= bytes;
      auto buffer = std::move(*it);
      free_.erase(std::next(it).base());
      return buffer;
    }
  }
  return device_->allocate(bytes);
}

void MemoryPool::give(std::unique_ptr<Buffer> buffer) {
  std::vector<std::unique_ptr<Buffer>> unwanted;  // released outside of the lock
  const std::lock_guard lock(mutex_);
  free_bytes_ += buffer->size();
  free_.push_back(std::move(buffer));
  while (free_.size() > kMostBuffers || (free_bytes_ > kMostBytes && free_.size() > 1)) {
    free_bytes_ -= free_.front()->size();
    unwanted.push_back(std::move(free_.front()));
    free_.erase(free_.begin());
  }
}

}  // namespace vyre::backend
