// Launcher: binds calls to kernels and memory, and runs them. What Dispatcher and Runtime have in
// common.
//
// Thread-safe. Calls run at the same time, as far as the device lets them.

#pragma once

#include <memory>

#include "backend/bound_call.h"
#include "backend/call_cache.h"
#include "backend/kernels.h"
#include "backend/memory_pool.h"
#include "base/fork.h"

namespace vyre::backend {

class Launcher {
 public:
  explicit Launcher(std::shared_ptr<Device> device)
      : device_(device), kernels_(device), pool_(device), generation_(fork_generation()) {}

  const std::shared_ptr<Device>& device() const { return device_; }

  // Plans and compiles, as far as that was not done before.
  Expected<std::shared_ptr<const BoundCall>> bind(const ir::Sequence& sequence, const Slots& slots,
                                                  const CallOptions& options);
  // The same, remembered for the next call like it.
  Expected<std::shared_ptr<const BoundCall>> find_or_bind(const ir::Sequence& sequence,
                                                          const Slots& slots,
                                                          const CallOptions& options);

  // Runs a call whose slots the bound call was made for. Waits if some of the memory is the host's.
  Expected<void> run(const BoundCall& bound, const Slots& slots);

  Expected<void> finish();

  // Whether this process has forked from the one that made the launcher. The threads of the device
  // and of its driver stayed behind: a launch would wait for them without end.
  bool is_in_child() const { return generation_ != fork_generation(); }
  // An error in such a child. All functions above begin with it.
  Expected<void> check_process() const;

 private:
  class Loan;

  std::shared_ptr<Device> device_;
  Kernels kernels_;
  MemoryPool pool_;
  CallCache<BoundCall> calls_;
  std::uint64_t generation_;
};

}  // namespace vyre::backend
