// The time that commands on a stream take, by events that the device stamps.
//
// One event is recorded before the first command and one behind the last. Commands of other threads
// on the same stream that come between them count, as they do for the application.

#pragma once

#include <memory>

#include "backend/cuda/context.h"

namespace vyre::backend::cuda {

class CudaTimer final : public Timer {
 public:
  static Expected<std::unique_ptr<Timer>> make(std::shared_ptr<Context> context);

  // Enqueues a command between the events of the timer, which may be null. The context is in use.
  template <class Command>
  static Expected<void> enclose(Timer* given, const Command& command) {
    auto* timer = dynamic_cast<CudaTimer*>(given);
    if (timer == nullptr) return command();
    VYRE_TRY_VOID(timer->record_begin());
    VYRE_TRY_VOID(command());
    return timer->record_end();
  }

  CudaTimer(const CudaTimer&) = delete;
  CudaTimer& operator=(const CudaTimer&) = delete;
  ~CudaTimer() override;
  Expected<std::uint64_t> elapsed_ns() override;

 private:
  explicit CudaTimer(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  Expected<void> record_begin();
  Expected<void> record_end();

  std::shared_ptr<Context> context_;
  DriverEvent begin_ = nullptr;
  DriverEvent end_ = nullptr;
  bool has_begun_ = false;
};

}  // namespace vyre::backend::cuda
