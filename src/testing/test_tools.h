// Compilers of other makers that only tests use, and that `tools/setup --all` fetches: a machine
// may lack them. They are in the folder $VYRE_TEST_TOOLS at the time of configuring, else in the
// user's cache.

#pragma once

#include <filesystem>
#include <optional>

namespace vyre::testing {

// The folder; it need not exist.
std::filesystem::path test_tools_dir();

// A library for dlopen: that of the folder, else the system's.
std::optional<std::filesystem::path> nvrtc_library();
std::optional<std::filesystem::path> hiprtc_library();

// CUDA's headers, for kernels that include them.
std::optional<std::filesystem::path> cuda_include_dir();

}  // namespace vyre::testing
