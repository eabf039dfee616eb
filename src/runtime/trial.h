// Trial: the search for one key's decision, on copies of one call's inputs, a run at a time.
//
// Belongs to one thread at a time; `try_enter` says whether it is ours now.

#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "vyre/tune.h"

namespace vyre {

class Trial {
 public:
  // Nothing runs yet.
  Trial(const Key& key, Problem problem, TuneOptions options)
      : key_(key), problem_(std::move(problem)), options_(std::move(options)) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  const Key& key() const { return key_; }
  const std::string& name() const { return problem_.name; }  // quoted, for messages

  bool try_enter() { return !is_entered_.exchange(true, std::memory_order_acquire); }
  void leave() { is_entered_.store(false, std::memory_order_release); }

  // One run, after whatever the journal answers for nothing; the first step compiles and runs the
  // default. False: decided.
  Expected<bool> step(const std::shared_ptr<Device>& device);
  // The decision, made and kept, after the last step.
  Expected<Tuned> finish() { return steps_->finish(); }
  // All of it.
  Expected<Tuned> run(const std::shared_ptr<Device>& device);

 private:
  Key key_;
  Problem problem_;
  TuneOptions options_;
  std::atomic<bool> is_entered_{false};
  std::optional<TuneSteps> steps_;
};

}  // namespace vyre
