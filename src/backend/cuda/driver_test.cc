// Libraries that are missing, or are not what their names say.

#include "backend/cuda/driver.h"

#include <gtest/gtest.h>

#include "backend/cuda/compiler.h"
#include "backend/cuda/driver_error.h"
#include "vyre/cuda.h"

namespace vyre::backend::cuda {
namespace {

TEST(CudaLibraries, AMissingDriverIsOneLine) {
  const auto cuda = load_driver(Api::cuda, "libvyre_no_such.so");
  ASSERT_FALSE(cuda);
  EXPECT_EQ(cuda.error().kind, ErrorKind::backend);
  EXPECT_EQ(cuda.error().message,
            "there is no CUDA driver: libvyre_no_such.so: cannot open shared object file: No such "
            "file or directory; install NVIDIA's driver, which has libcuda.so.1");
  const auto hip = load_driver(Api::hip, "libvyre_no_such.so");
  ASSERT_FALSE(hip);
  EXPECT_EQ(hip.error().message,
            "there is no HIP driver: libvyre_no_such.so: cannot open shared object file: No such "
            "file or directory; install AMD's ROCm runtime, which has libamdhip64.so");
  const auto devices = open_cuda({}, {.driver = "libvyre_no_such.so"});
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error(), cuda.error());
  EXPECT_FALSE(adopt_hip({}, {}, {.driver = "libvyre_no_such.so"}));
}

TEST(CudaLibraries, AMissingFunctionIsNamed) {
  const auto cuda = load_driver(Api::cuda, "libm.so.6");
  ASSERT_FALSE(cuda);
  EXPECT_EQ(cuda.error().message,
            "libm.so.6 has no function cuInit; install NVIDIA's driver for CUDA 11 or newer");
  const auto hip = load_driver(Api::hip, "libm.so.6");
  ASSERT_FALSE(hip);
  EXPECT_EQ(hip.error().message,
            "libm.so.6 has no function hipInit; install AMD's ROCm 5.2 or newer");
  const auto nvrtc = Compiler::load(Api::cuda, "libm.so.6");
  ASSERT_FALSE(nvrtc);
  EXPECT_EQ(nvrtc.error().message,
            "libm.so.6 has no function nvrtcVersion; install the NVRTC of CUDA 12 or 13");
  const auto hiprtc = Compiler::load(Api::hip, "libm.so.6");
  ASSERT_FALSE(hiprtc);
  EXPECT_EQ(hiprtc.error().message,
            "libm.so.6 has no function hiprtcVersion; install the hipRTC of ROCm 5.2 or newer");
}

TEST(CudaLibraries, AMissingCompilerIsOneLine) {
  const auto nvrtc = Compiler::load(Api::cuda, "libvyre_no_such.so");
  ASSERT_FALSE(nvrtc);
  EXPECT_EQ(nvrtc.error().message,
            "CUDA's run-time compiler cannot be opened: libvyre_no_such.so: cannot open shared "
            "object file: No such file or directory; install libnvrtc.so.13 or libnvrtc.so.12, or "
            "put its folder into LD_LIBRARY_PATH");
  const auto hiprtc = Compiler::load(Api::hip, "libvyre_no_such.so");
  ASSERT_FALSE(hiprtc);
  EXPECT_EQ(hiprtc.error().message,
            "HIP's run-time compiler cannot be opened: libvyre_no_such.so: cannot open shared "
            "object file: No such file or directory; install libhiprtc.so, or put its folder into "
            "LD_LIBRARY_PATH");
}

TEST(CudaErrors, HaveTheNameOfTheirInterface) {
  const Driver cuda{.api = Api::cuda};
  const Driver hip{.api = Api::hip};
  EXPECT_EQ(name_of_code(cuda, 2), "CUDA_ERROR_OUT_OF_MEMORY (2)");
  EXPECT_EQ(name_of_code(hip, 2), "hipErrorOutOfMemory (2)");
  EXPECT_EQ(name_of_code(cuda, 12345), "CUDA error (12345)");
  EXPECT_EQ(name_of_code(hip, 222), "HIP error (222)");
  EXPECT_TRUE(is_sticky(700));
  EXPECT_FALSE(is_sticky(2));
  const auto refused = driver_error(cuda, 701, "launch of \"k\"").error();
  EXPECT_EQ(refused.kind, ErrorKind::rejected);
  EXPECT_EQ(
      refused.message,
      "launch of \"k\": CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701); use a smaller workgroup, or "
      "fewer registers");
}

// A code that only the driver knows: the driver is asked for its name.
TEST(CudaErrors, AskTheDriverForNamesOfOthers) {
  Driver driver;
  driver.call.error_name = [](int, const char** name) {
    *name = "CUDA_ERROR_BRAND\nNEW";
    return 0;
  };
  EXPECT_EQ(name_of_code(driver, 977), "CUDA_ERROR_BRAND\\x0aNEW (977)");
}

}  // namespace
}  // namespace vyre::backend::cuda
