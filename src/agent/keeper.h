// Keeper: keeps a claim alive while its holder works, on a thread and a connection of its own.
//
// A third of the lease passes between two renewals. A server that cannot be reached is tried again
// then; the claim counts as lost only when the server says so.

#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "agent/store.h"

namespace vyre::agent {

class Keeper {
 public:
  Keeper(Target target, Claim claim, Milliseconds lease);
  ~Keeper() = default;  // ends the thread, which may take a third of the lease

  // Another agent has the wish now.
  bool is_lost() const { return is_lost_; }

 private:
  void run(const std::stop_token& stop);

  Target target_;
  Claim claim_;
  Milliseconds lease_;
  std::atomic<bool> is_lost_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace vyre::agent
