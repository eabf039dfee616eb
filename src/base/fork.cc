#include "base/fork.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

namespace vyre {
namespace {

constexpr int kNone = -1;

struct Forks {
  std::atomic<std::uint64_t> generation{0};
  std::mutex mutex;  // of `descriptors`; held while the process forks
  std::array<int, 64> descriptors{};

  Forks() {
    descriptors.fill(kNone);
    ::pthread_atfork(before, in_parent, in_child);
  }

  static void before();
  static void in_parent();
  static void in_child();
};

// Never destroyed: a process may fork while it ends.
Forks& forks() {
  static auto* const kForks = new Forks;
  return *kForks;
}

void Forks::before() { forks().mutex.lock(); }

void Forks::in_parent() { forks().mutex.unlock(); }

void Forks::in_child() {
  Forks& all = forks();
  all.generation.fetch_add(1, std::memory_order_relaxed);
  for (int& descriptor : all.descriptors) {
    if (descriptor != kNone) ::close(descriptor);
    descriptor = kNone;
  }
  all.mutex.unlock();
}

void replace(int old, int fresh) {
  Forks& all = forks();
  const std::lock_guard lock(all.mutex);
  const auto it = std::ranges::find(all.descriptors, old);
  if (it != all.descriptors.end()) *it = fresh;
}

}  // namespace

std::uint64_t fork_generation() { return forks().generation.load(std::memory_order_relaxed); }

void close_in_children(int descriptor) { replace(kNone, descriptor); }

void keep_in_children(int descriptor) { replace(descriptor, kNone); }

}  // namespace vyre
