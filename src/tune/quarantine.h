// Quarantine: configurations that failed, kept across campaigns.

#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "vyre/tune.h"

namespace vyre {

// By program, configuration and device identity: one JSON object per line, appended. Lines that are
// not understood are left alone.
class Quarantine {
 public:
  struct Entry {
    Config config;
    Status status;
    std::string why;  // which limit it exceeded, for people; empty: no more is known
  };

  // Empty if there is no such file yet.
  static Expected<Quarantine> open(const std::filesystem::path& file);

  // Those of this problem's space on this device.
  std::vector<Failure> of(const Problem& problem, const Identity& identity) const;
  // Failures that are known already are not written again. Durable when it returns.
  Expected<void> add(const Problem& problem, const Identity& identity,
                     std::span<const Failure> failures);

 private:
  explicit Quarantine(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::map<std::string, std::vector<Entry>> known_;  // by program and identity
};

}  // namespace vyre
