// Meeting: an exchange between ranks that are threads of one process.
//
// Every round needs all ranks. A round that takes too long fails for everybody in it, and for those
// who come later, as a collective call with a time limit does.

#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.h"
#include "vyre/agree.h"

namespace vyre::testing {

class Meeting {
 public:
  explicit Meeting(std::size_t ranks, double limit_seconds = 60)
      : calls_(ranks), limit_(limit_seconds), round_(std::make_shared<Round>(ranks)) {}

  Exchange exchange_of(std::size_t rank) {
    return [this, rank](std::string_view mine) { return exchange(rank, mine); };
  }

  // How often a rank has called its exchange.
  std::size_t calls_of(std::size_t rank) const {
    const std::lock_guard lock(mutex_);
    return calls_[rank];
  }

 private:
  struct Round {
    explicit Round(std::size_t ranks) : bytes(ranks) {}
    std::vector<std::string> bytes;
    std::size_t arrived = 0;
    bool is_over = false;
    bool has_failed = false;
  };

  Expected<std::vector<std::string>> exchange(std::size_t rank, std::string_view mine) {
    std::unique_lock lock(mutex_);
    ++calls_[rank];
    const auto round = round_;
    round->bytes[rank] = mine;
    if (++round->arrived == round->bytes.size() && !round->has_failed) {
      round->is_over = true;
      round_ = std::make_shared<Round>(round->bytes.size());
      changed_.notify_all();
    }
    changed_.wait_for(lock, limit_, [&] { return round->is_over || round->has_failed; });
    if (round->is_over) return round->bytes;
    round->has_failed = true;
    changed_.notify_all();
    return backend_error("a rank is missing: {} of {} have come", round->arrived,
                         round->bytes.size());
  }

  mutable std::mutex mutex_;
  std::vector<std::size_t> calls_;
  std::condition_variable changed_;
  std::chrono::duration<double> limit_;
  std::shared_ptr<Round> round_;
};

}  // namespace vyre::testing
