#include "runtime/side_thread.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace vyre {
namespace {

constexpr double kLongest = 1e6;  // seconds; more would overflow a clock somewhere

}  // namespace

SideThread::~SideThread() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool SideThread::run(std::function<void()> work, double seconds) {
  std::unique_lock lock(mutex_);
  if (taken_ != done_) return false;
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { loop(); });
    } catch (const std::system_error&) {  // no more threads: better late than never
      lock.unlock();
      work();
      return true;
    }
  }
  work_ = std::move(work);
  const std::uint64_t mine = ++taken_;
  changed_.notify_all();
  changed_.wait_for(lock, std::chrono::duration<double>(std::min(seconds, kLongest)),
                    [&] { return done_ >= mine; });
  return true;
}

void SideThread::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_over_ || work_; });
    if (!work_) return;
    const auto work = std::exchange(work_, nullptr);
    lock.unlock();
    work();
    lock.lock();
    done_ = taken_;
    changed_.notify_all();
  }
}

}  // namespace vyre
