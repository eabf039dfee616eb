// LocalDecisions: what was decided on this machine, for the fleet.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "agent/mirror.h"
#include "base/files/safe_file.h"

namespace vyre::agent {

class LocalDecisions {
 public:
  // The folder with `<adapter>.toml` of the user (Files::folder / "tuner"); empty: nothing is
  // local.
  explicit LocalDecisions(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Reads the files that have changed. A file that cannot be read becomes a message, once per
  // version of the file, and what it had before is kept.
  std::vector<std::string> refresh();

  // The decisions that are greater than the fleet's, in the order of merging. Those that were never
  // measured stay here.
  std::vector<SharedDecision> missing_in(const Mirror& mirror) const;

 private:
  struct File {
    FileState state = {};
    std::vector<SharedDecision> decisions = {};
  };

  std::filesystem::path folder_;
  std::map<std::filesystem::path, File> files_;
};

}  // namespace vyre::agent
