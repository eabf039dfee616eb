#include "tune/worker/driver_threads.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>

namespace vyre::worker {
namespace {

std::vector<pid_t> threads() {
  std::vector<pid_t> out;
  std::error_code failed;
  std::filesystem::directory_iterator tasks("/proc/self/task", failed);
  for (; !failed && tasks != std::filesystem::directory_iterator(); tasks.increment(failed)) {
    const std::string name = tasks->path().filename();
    pid_t id = 0;
    std::from_chars(name.data(), name.data() + name.size(), id);
    if (id > 0) out.push_back(id);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

DriverThreads::DriverThreads() : own_(threads()) {
  if (::sched_getaffinity(0, sizeof(all_), &all_) != 0) return;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &all_)) cores_.push_back(core);
  }
}

std::vector<pid_t> DriverThreads::others() const {
  std::vector<pid_t> out;
  std::ranges::set_difference(threads(), own_, std::back_inserter(out));
  return out;
}

void DriverThreads::spread() const {
  if (cores_.empty()) return;
  std::size_t next = 0;
  for (const pid_t thread : others()) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cores_[next++ % cores_.size()], &one);
    ::sched_setaffinity(thread, sizeof(one), &one);
  }
}

void DriverThreads::set_free() const {
  if (cores_.empty()) return;
  for (const pid_t thread : others()) ::sched_setaffinity(thread, sizeof(all_), &all_);
}

}  // namespace vyre::worker
