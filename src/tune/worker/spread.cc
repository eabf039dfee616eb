#include "tune/worker/spread.h"

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
  if (::sched_getaffinity(0, sizeof(cores_), &cores_) != 0) CPU_ZERO(&cores_);
}

std::vector<pid_t> DriverThreads::others() const {
  std::vector<pid_t> out;
  std::ranges::set_difference(threads(), own_, std::back_inserter(out));
  return out;
}

void DriverThreads::spread() {
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &cores_)) cores.push_back(core);
  }
  if (cores.empty()) return;
  spread_ = others();
  for (std::size_t k = 0; k < spread_.size(); ++k) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cores[k % cores.size()], &one);
    ::sched_setaffinity(spread_[k], sizeof(one), &one);
  }
}

void DriverThreads::set_free() {
  for (const pid_t thread : spread_) ::sched_setaffinity(thread, sizeof(cores_), &cores_);
  spread_.clear();
}

}  // namespace vyre::worker
