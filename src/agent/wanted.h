// The words of `vyre-agent wish`, as wishes.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vyre/agree.h"
#include "vyre/device.h"

namespace vyre::agent {

// Each word is a key, "v2-" and 64 digits, or the file of a problem, whose sizes are `sizes`
// (NAME=NUMBER). Of a key, program and shape are found in a decision for another device or driver:
// among the user's files, or in `fleet_folder` (empty: none). The wishes are for `device`.
Expected<std::vector<Wish>> wanted_wishes(const std::vector<std::string>& words,
                                          const std::vector<std::string>& sizes,
                                          const std::filesystem::path& fleet_folder,
                                          const DeviceInfo& device);

}  // namespace vyre::agent
