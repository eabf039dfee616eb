#include "fake_cuda/driver/memory.h"

#include <cstring>
#include <new>

namespace fake_cuda {
namespace {

constexpr std::uint64_t kAlign = 512;
// Filling more would take longer than the tests of large buffers do.
constexpr std::uint64_t kMostPoison = std::uint64_t{16} << 20;

}  // namespace

Allocation* Memory::allocate(std::uint64_t bytes) {
  if (bytes > free_bytes()) return nullptr;
  std::unique_ptr<std::uint8_t[]> data(new (std::nothrow) std::uint8_t[bytes > 0 ? bytes : 1]);
  if (data == nullptr) return nullptr;
  std::memset(data.get(), kPoison, std::min(bytes, kMostPoison));
  Allocation& made = allocations_[next_];
  made.begin = next_;
  made.bytes = bytes;
  made.data = std::move(data);
  used_ += bytes;
  // Addresses are never used twice, so that a stale pointer is found. A gap follows each.
  next_ += (bytes / kAlign + 2) * kAlign;
  return &made;
}

bool Memory::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  used_ -= found->second.bytes;
  allocations_.erase(found);
  return true;
}

const Allocation* Memory::find(std::uint64_t address, std::uint64_t bytes) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& candidate = std::prev(after)->second;
  return candidate.holds(address, bytes) ? &candidate : nullptr;
}

}  // namespace fake_cuda
