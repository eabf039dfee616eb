#include "base/parallel.h"

#include <algorithm>
#include <system_error>

namespace vyre {

ThreadPool::ThreadPool(std::uint32_t threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  for (std::uint32_t worker = 1; worker < threads; ++worker) {
    try {
      workers_.emplace_back([this, worker] { work(worker); });
    } catch (const std::system_error&) {
      break;  // fewer threads than wished for still do the job
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : workers_) t.join();
}

void ThreadPool::run_job(Job job) {
  const std::lock_guard one_at_a_time(one_job_);
  {
    const std::lock_guard lock(mutex_);
    job_ = job;
    running_ = static_cast<std::uint32_t>(workers_.size());
    ++generation_;
  }
  wake_.notify_all();
  job.call(job.context, 0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
}

void ThreadPool::work(std::uint32_t worker) {
  std::uint64_t seen = 0;
  while (true) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
    if (stop_) return;
    seen = generation_;
    const Job job = job_;
    lock.unlock();
    job.call(job.context, worker);
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

}  // namespace vyre
