#include "backend/cuda/timer.h"

#include <cmath>

namespace vyre::backend::cuda {

Expected<std::unique_ptr<Timer>> CudaTimer::make(std::shared_ptr<Context> context) {
  constexpr unsigned kTimed = 0;
  std::unique_ptr<CudaTimer> timer(new CudaTimer(std::move(context)));
  Context& of = *timer->context_;
  VYRE_TRY(const auto use, of.use());
  for (DriverEvent* event : {&timer->begin_, &timer->end_}) {
    VYRE_TRY_VOID(of.check(of.call().event_create(event, kTimed), "no event can be made"));
    ++cuda_counters().events;
  }
  return timer;
}

CudaTimer::~CudaTimer() {
  const auto use = context_->use();
  for (DriverEvent event : {begin_, end_}) {
    if (event == nullptr) continue;
    if (use) context_->call().event_destroy(event);
    --cuda_counters().events;
  }
}

Expected<void> CudaTimer::record_begin() {
  if (has_begun_) return {};
  const int code = context_->call().event_record(begin_, context_->stream());
  VYRE_TRY_VOID(context_->check(code, "recording an event"));
  has_begun_ = true;
  return {};
}

// The event of the last command replaces those before it.
Expected<void> CudaTimer::record_end() {
  return context_->check(context_->call().event_record(end_, context_->stream()),
                         "recording an event");
}

Expected<std::uint64_t> CudaTimer::elapsed_ns() {
  if (!has_begun_) return 0;
  VYRE_TRY(const auto use, context_->use());
  const DriverFunctions& call = context_->call();
  VYRE_TRY_VOID(context_->check(call.event_finish(end_), "waiting for a launch failed"));
  float milliseconds = 0;
  VYRE_TRY_VOID(context_->check(call.event_elapsed(&milliseconds, begin_, end_),
                                "the device's clock cannot be read"));
  return milliseconds > 0 ? static_cast<std::uint64_t>(std::llround(milliseconds * 1e6)) : 0;
}

}  // namespace vyre::backend::cuda
