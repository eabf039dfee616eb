// OwnProblems: the kernels that this machine is willing to tune for others.
//
// A wish names a program by its fingerprint and never brings source. So an agent runs only what
// lies in the folder that its operator gave it, and a wish chooses among that and says for which
// sizes.

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vyre/agree.h"
#include "vyre/problem.h"

namespace vyre::agent {

// A T1 file (.json) or a sequence in text form (.vyre).
Expected<Problem> load_own(const std::filesystem::path& file, const DeviceInfo& device,
                           const ProblemSizes& sizes = {});

// The wish for a problem on a device.
Expected<Wish> wish_for(const Problem& problem, const DeviceInfo& device);

class OwnProblems {
 public:
  // All such files of the folder itself. One that cannot be loaded, as a JSON file that is
  // something else, becomes a message. bad_inputs: there is no such folder.
  static Expected<OwnProblems> find(const std::filesystem::path& folder, const DeviceInfo& device);

  // The problem with the sizes of the wish. None: no file has this fingerprint. An error: the file
  // cannot be had in these sizes.
  Expected<std::optional<Problem>> problem_for(const Wish& wish) const;

  std::size_t size() const { return files_.size(); }
  const std::vector<std::string>& messages() const { return messages_; }

 private:
  explicit OwnProblems(DeviceInfo device) : device_(std::move(device)) {}

  DeviceInfo device_;
  std::map<ir::Fingerprint, std::filesystem::path> files_;
  std::vector<std::string> messages_;
};

}  // namespace vyre::agent
