// The time that commands of an OpenCL queue take.
//
// A queue that records profiling events is timed by the device's clock. The timer owns the events
// of its own commands, so threads that share a queue do not see each other's. Two kinds of queue
// are timed by the host's clock, from an idle queue to an idle queue: an application's that records
// none, and all queues of a device whose clock has no resolution (rusticl 22.3). A device that
// names a resolution and has only zeros in its events is timed by the host's clock too, from the
// call that enqueues the first command.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "backend/opencl/context.h"

namespace vyre::backend::opencl {

class OpenclTimer final : public Timer {
 public:
  static Expected<std::unique_ptr<Timer>> make(std::shared_ptr<Context> context);

  // Where clEnqueue... is to put its event; null: no event is wanted. `timer` may be null.
  static cl_event* place_for_event(Timer* timer);

  OpenclTimer(const OpenclTimer&) = delete;
  OpenclTimer& operator=(const OpenclTimer&) = delete;
  ~OpenclTimer() override { keep_last(); }
  Expected<std::uint64_t> elapsed_ns() override;
  Expected<void> wait_until_begun() override;

 private:
  explicit OpenclTimer(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  Expected<std::uint64_t> from_events();
  std::uint64_t by_host() const;
  void keep_last();

  std::shared_ptr<Context> context_;
  std::vector<Owned<cl_event>> events_;
  cl_event next_ = nullptr;  // filled by the command that was enqueued last
  std::optional<std::chrono::steady_clock::time_point> start_;  // of the first command
};

}  // namespace vyre::backend::opencl
