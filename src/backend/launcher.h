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

namespace vyre::backend {

class Launcher {
 public:
  explicit Launcher(std::shared_ptr<Device> device)
      : device_(device), kernels_(device), pool_(device) {}

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

  Expected<void> finish() { return device_->finish(); }

 private:
  class Loan;

  std::shared_ptr<Device> device_;
  Kernels kernels_;
  MemoryPool pool_;
  CallCache<BoundCall> calls_;
};

}  // namespace vyre::backend
