// Kernels in a language that the device at hand does not run: `vyre tune` says what to do.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "testing/run_command.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

TEST(opencl_languages, AKernelForAnotherDeviceIsOneLineAndChangesNothing) {
  const testing::TemporaryFolder cache;
  const std::string t1 =
      (std::filesystem::path(VYRE_SOURCE_DIR) / "kernels" / "cuda" / "stencil_cuda.json").string();
  const auto result =
      testing::run_command({VYRE_CLI, "tune", t1, "--device", "opencl:0", "--budget", "5", "--size",
                            "width=64", "--size", "height=64", "--strategy", "natural"},
                           {.environment = {"XDG_CACHE_HOME=" + cache.path().string()}});
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_TRUE(result.err.ends_with(
      "\"stencil\" is written in CUDA C++, but this device runs OpenCL C; use a CUDA device "
      "(`vyre devices` lists all), or port the kernel\n"))
      << result.err;
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
}

}  // namespace
}  // namespace vyre
