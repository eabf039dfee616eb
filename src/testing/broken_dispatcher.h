// A device that answers with any bytes that a test gives it, or fails: for tests of callers'
// errors.

#pragma once

#include "vyre/call.h"

namespace vyre::testing {

class BrokenDispatcher final : public Dispatcher {
 public:
  explicit BrokenDispatcher(Outputs answer) : answer_(std::move(answer)) {}
  explicit BrokenDispatcher(Error error) : error_(std::move(error)) {}

  using Dispatcher::dispatch;
  Expected<void> dispatch(const ir::Sequence&, const Call&, Outputs& outputs) override {
    ++calls_;
    if (error_) return std::unexpected(*error_);
    outputs = answer_;
    return {};
  }

  Expected<void> dispatch(const ir::Sequence&, std::span<const Arg>, const CallOptions&) override {
    ++calls_;
    if (error_) return std::unexpected(*error_);
    return {};
  }
  Expected<void> finish() override { return {}; }

  int calls() const { return calls_; }

 private:
  Outputs answer_;
  std::optional<Error> error_;
  int calls_ = 0;
};

}  // namespace vyre::testing
