// Data that lies beside the checkout and is no part of it: tests that use it skip without it.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace vyre::testing {

// <source_dir>/../shared, or nothing.
std::optional<std::filesystem::path> shared_dir(const std::filesystem::path& source_dir);

// The files directly in `folder` of the shared data, sorted; none if it is not there.
std::vector<std::filesystem::path> shared_files(const std::filesystem::path& source_dir,
                                                const std::filesystem::path& folder);

}  // namespace vyre::testing
