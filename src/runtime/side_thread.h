// SideThread: a thread for work that a caller waits for only so long.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace vyre {

// Thread-safe. One piece of work at a time; the thread starts with the first.
class SideThread {
 public:
  SideThread() = default;
  SideThread(const SideThread&) = delete;
  SideThread& operator=(const SideThread&) = delete;
  ~SideThread();  // waits for the work at hand

  // Does the work, and returns when it is done or so many seconds have passed: then it goes on
  // beside the caller. False: not taken, because there is some going on. `work` must not throw.
  bool run(std::function<void()> work, double seconds);

 private:
  void loop();

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::function<void()> work_;
  std::uint64_t taken_ = 0;
  std::uint64_t done_ = 0;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace vyre
