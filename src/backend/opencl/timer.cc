#include "backend/opencl/timer.h"

#include <thread>
#include <utility>

namespace vyre::backend::opencl {
namespace {

Expected<cl_int> status_of(cl_event event) {
  cl_int status = CL_COMPLETE;
  api().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  if (status < 0) return cl_error(status, "a launch failed");
  return status;
}

Expected<cl_ulong> profiled(cl_event event, cl_profiling_info what) {
  VYRE_TRY_VOID(status_of(event));
  cl_ulong ns = 0;
  const cl_int code = api().clGetEventProfilingInfo(event, what, sizeof(ns), &ns, nullptr);
  if (code != CL_SUCCESS) return cl_error(code, "the device's clock cannot be read");
  return ns;
}

}  // namespace

Expected<std::unique_ptr<Timer>> OpenclTimer::make(std::shared_ptr<Context> context) {
  std::unique_ptr<OpenclTimer> timer(new OpenclTimer(std::move(context)));
  if (!timer->context_->profiles()) VYRE_TRY_VOID(timer->context_->finish());
  return timer;
}

cl_event* OpenclTimer::place_for_event(Timer* given) {
  auto* timer = dynamic_cast<OpenclTimer*>(given);
  if (timer == nullptr) return nullptr;
  if (!timer->start_) timer->start_ = std::chrono::steady_clock::now();
  if (!timer->context_->profiles()) return nullptr;
  timer->keep_last();
  return &timer->next_;
}

void OpenclTimer::keep_last() {
  if (next_ != nullptr) events_.emplace_back(std::exchange(next_, nullptr));
}

Expected<std::uint64_t> OpenclTimer::elapsed_ns() {
  if (context_->profiles()) return from_events();
  if (!start_) return 0;
  VYRE_TRY_VOID(context_->finish());
  return by_host();
}

std::uint64_t OpenclTimer::by_host() const {
  const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - *start_;
  return static_cast<std::uint64_t>(taken.count());
}

// PoCL may compile a kernel behind the call that enqueues it, on a thread of its own, and says that
// the kernel runs when that is done (3.1). There is no call that waits for this.
Expected<void> OpenclTimer::wait_until_begun() {
  constexpr std::chrono::microseconds kPause{200};
  keep_last();
  if (events_.empty()) return {};
  if (const cl_int code = api().clFlush(context_->queue()); code != CL_SUCCESS) {
    return cl_error(code, "a launch failed");
  }
  for (;; std::this_thread::sleep_for(kPause)) {
    VYRE_TRY(const cl_int status, status_of(events_.back().get()));
    if (status <= CL_RUNNING) return {};
  }
}

// The queue is in order: its first command starts first, its last one ends last.
Expected<std::uint64_t> OpenclTimer::from_events() {
  keep_last();
  if (events_.empty()) return 0;
  cl_event last = events_.back().get();
  const cl_int code = api().clWaitForEvents(1, &last);
  if (code != CL_SUCCESS) return cl_error(code, "waiting for a launch failed");
  VYRE_TRY(const cl_ulong start, profiled(events_.front().get(), CL_PROFILING_COMMAND_START));
  cl_ulong end = 0;
  for (const auto& event : events_) {
    VYRE_TRY(end, profiled(event.get(), CL_PROFILING_COMMAND_END));
  }
  if (end == 0) return by_host();
  return end > start ? end - start : 0;
}

}  // namespace vyre::backend::opencl
