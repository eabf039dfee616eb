// Quarantine: configurations that failed, kept across campaigns.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "vyre/tune.h"

namespace vyre {

// By program, configuration and device identity: one JSON object per line, appended. Lines that are
// not understood are left alone.
//
// A wrong output holds for good. Any other failure may have been the machine's, so it holds for the
// day on which it was seen; each time that the configuration fails again on a later day it holds
// twice as long, up to 32 days. A failure by a time limit no longer holds once that limit is
// raised.
class Quarantine {
 public:
  // What decides whether an entry holds.
  struct Terms {
    std::chrono::milliseconds build_limit = WorkerOptions().build_limit;
    std::chrono::milliseconds run_limit = WorkerOptions().run_limit;
    std::int64_t now = 0;  // seconds since 1970
  };
  struct Entry {
    Config config;
    Status status = Status::runtime;
    std::string why = {};        // for people; empty: no more is known
    std::int64_t failed_at = 0;  // seconds since 1970, the last time; 0: not known
    std::uint32_t failures = 1;  // how often it was entered
  };

  // Empty if there is no such file yet.
  static Expected<Quarantine> open(const std::filesystem::path& file, const Terms& terms);

  // Those of this problem's space on this device that hold.
  std::vector<Failure> of(const Problem& problem, const Identity& identity) const;
  // Failures whose entries hold are not written again, and those that are suspect (suspect.h) are
  // not written at all. Durable when it returns.
  Expected<void> add(const Problem& problem, const Identity& identity,
                     std::span<const Failure> failures);

 private:
  Quarantine(std::filesystem::path file, const Terms& terms)
      : file_(std::move(file)), terms_(terms) {}
  bool holds(const Entry& entry) const;

  std::filesystem::path file_;
  Terms terms_;
  std::map<std::string, std::vector<Entry>> known_;  // by program and identity
};

}  // namespace vyre
