// Spread: the driver's threads, each on a core of its own.
//
// A CPU device runs a kernel on one thread per core. For kernels shorter than a millisecond the
// scheduler may leave two of them on the same core for many runs, which then take exactly twice as
// long, whatever the configuration. While a run is timed the threads are therefore spread over the
// cores; while the driver compiles they are free.

#pragma once

#include <sched.h>
#include <sys/types.h>

#include <vector>

namespace vyre::worker {

class DriverThreads {
 public:
  // Before the driver starts any: the threads that there are belong to the worker.
  DriverThreads();

  void spread();
  void set_free();

 private:
  std::vector<pid_t> others() const;

  cpu_set_t cores_{};  // that this process may use
  std::vector<pid_t> own_;
  std::vector<pid_t> spread_;
};

}  // namespace vyre::worker
