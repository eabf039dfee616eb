// Context: one device with its driver's context and stream, shared by what was made from it.
//
// Threads: a driver's context is current for a thread, not for a process. Every function that calls
// the driver first takes a Use, which makes the context current on the calling thread and gives the
// thread back the one that it had: an application may have contexts of its own.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backend/common/binary_store.h"
#include "backend/cuda/driver_error.h"
#include "backend/cuda/target.h"
#include "base/blake3.h"
#include "base/error.h"
#include "vyre/cuda.h"

namespace vyre::backend::cuda {

class LoadedModule;

// All counters of CudaCounts.
struct CudaCounters {
  std::atomic<std::int64_t> contexts, streams, buffers, modules, events;
  std::atomic<std::uint64_t> compiled, loaded, damaged, unsaved;
};
CudaCounters& cuda_counters();

// Facts of a device that its context needs.
struct DeviceFacts {
  int device = 0;                        // the driver's handle of it
  std::array<std::uint32_t, 3> grid{};   // the most workgroups on each axis
  std::uint32_t shared_bytes = 0;        // of a workgroup, without asking for more
  std::uint32_t shared_bytes_limit = 0;  // with asking
  Target target{};
};

class Context {
 public:
  // Retains the device's primary context, which an application shares that uses CUDA's runtime.
  static Expected<std::shared_ptr<Context>> make(std::shared_ptr<const Driver> driver,
                                                 const DeviceFacts& facts,
                                                 const DeviceOptions& options);
  // The application's context and stream, which it keeps alive.
  static Expected<std::shared_ptr<Context>> adopt(std::shared_ptr<const Driver> driver,
                                                  const DeviceFacts& facts,
                                                  const CudaHandles& handles,
                                                  const DeviceOptions& options);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  class Use {
   public:
    Use(const DriverFunctions& call, std::optional<DriverContext> before)
        : call_(&call), before_(before) {}
    Use(Use&& other) noexcept : call_(other.call_), before_(std::exchange(other.before_, {})) {}
    Use& operator=(Use&&) = delete;
    ~Use() {
      if (before_) call_->context_set(*before_);
    }

   private:
    const DriverFunctions* call_;
    std::optional<DriverContext> before_;  // to be made current again
  };
  // Makes the context current on this thread as long as the result lives. `backend`: the device is
  // lost.
  Expected<Use> use();

  // The error of a driver's code; after a sticky one the device is lost to this process.
  Expected<void> check(int code, std::string_view what);

  const Driver& driver() const { return *driver_; }
  const DriverFunctions& call() const { return driver_->call; }
  const DeviceFacts& facts() const { return facts_; }
  const Target& target() const { return facts_.target; }
  DriverContext handle() const { return context_; }
  DriverStream stream() const { return stream_; }
  const DeviceOptions& options() const { return options_; }
  const BinaryStore& store() const { return store_; }

  // The form in which the driver takes kernels. It is the target's until the driver refuses a
  // binary, as a driver that interprets PTX does.
  Form form() const { return form_; }
  void use_ptx_from_now_on() { form_ = Form::ptx; }

  // Modules that are in use: none is compiled twice while it is.
  std::shared_ptr<LoadedModule> find_module(const Hash& key);
  void add_module(const Hash& key, const std::shared_ptr<LoadedModule>& module);

  // Waits for everything enqueued.
  Expected<void> finish();

 private:
  Context(std::shared_ptr<const Driver> driver, const DeviceFacts& facts,
          const DeviceOptions& options);

  std::shared_ptr<const Driver> driver_;
  DeviceFacts facts_;
  DeviceOptions options_;
  BinaryStore store_;
  DriverContext context_ = nullptr;
  DriverStream stream_ = nullptr;
  bool is_retained_ = false;
  bool owns_stream_ = false;
  std::atomic<Form> form_;
  std::mutex mutex_;
  std::string lost_;  // why; empty: it is not
  std::map<Hash, std::weak_ptr<LoadedModule>> modules_;
};

}  // namespace vyre::backend::cuda
