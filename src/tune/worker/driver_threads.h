// DriverThreads: the threads of a CPU device's driver, each on a core of its own while a run is
// timed.
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

  void spread() const;
  // Those too that were started while the others were spread.
  void set_free() const;

 private:
  std::vector<pid_t> others() const;

  std::vector<pid_t> own_;
  cpu_set_t all_{};         // cores that this process may use
  std::vector<int> cores_;  // the same as numbers
};

}  // namespace vyre::worker
