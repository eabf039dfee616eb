// ThreadPool: runs independent pieces of one job on all cores.
//
// Threads start with the pool and sleep between jobs. `run` is safe to call from several threads;
// jobs run one after the other. Nothing is allocated per job.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace vyre {

class ThreadPool {
 public:
  // `threads` counts the caller of `run`; 0: one per core.
  explicit ThreadPool(std::uint32_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::uint32_t threads() const { return static_cast<std::uint32_t>(workers_.size()) + 1; }

  // Calls f(worker) once for each worker in 0..threads(), at the same time, and waits for all.
  template <class F>
  void run(F& f) {
    run_job({[](void* context, std::uint32_t worker) { (*static_cast<F*>(context))(worker); }, &f});
  }

 private:
  struct Job {
    void (*call)(void*, std::uint32_t) = nullptr;
    void* context = nullptr;
  };
  void run_job(Job job);
  void work(std::uint32_t worker);

  std::mutex one_job_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Job job_;
  std::uint64_t generation_ = 0;
  std::uint32_t running_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace vyre
