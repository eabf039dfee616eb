// OpenCL's library is found at run time, and a machine without it gets a line that says what to do.

#include "backend/opencl/library.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <thread>

#include "backend/opencl/device_list.h"

namespace vyre::backend::opencl {
namespace {

TEST(OpenclLibrary, AMissingOneIsAnErrorThatSaysWhatToInstall) {
  const auto loaded = load_api("libdoes_not_exist.so.1");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::backend);
  EXPECT_EQ(loaded.error().message,
            "this machine has no OpenCL (libdoes_not_exist.so.1: cannot open shared object file: "
            "No such file or directory); install its loader and a driver, for example the packages "
            "ocl-icd-libopencl1 and pocl-opencl-icd");
}

TEST(OpenclLibrary, OneThatLacksFunctionsIsRefused) {
  const auto loaded = load_api("libm.so.6");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::backend);
  EXPECT_TRUE(loaded.error().message.starts_with("libm.so.6 has no cl")) << loaded.error().message;
  EXPECT_TRUE(loaded.error().message.ends_with(
      "; install a loader for OpenCL 1.2 or newer, for example the package ocl-icd-libopencl1"))
      << loaded.error().message;
}

// An application's own calls reach the same functions, so its handles are ours.
TEST(OpenclLibrary, IsTheOneOfTheProcess) {
  ASSERT_TRUE(has_api());
  void* const handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(reinterpret_cast<void*>(api().clFinish), dlsym(handle, "clFinish"));
  dlclose(handle);
}

TEST(OpenclLibrary, IsOpenedOnceByManyThreads) {
  std::vector<std::thread> threads;
  std::vector<const Api*> seen(8);
  for (const Api*& one : seen) {
    threads.emplace_back([&one] { one = has_api() ? &api() : nullptr; });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Api* one : seen) EXPECT_EQ(one, &api());
}

TEST(OpenclDevices, OfCpusComeInADocumentedOrder) {
  const std::vector<std::string_view> in_order{"Intel(R) OpenCL", "Portable Computing Language",
                                               "Some other runtime", "rusticl"};
  for (std::size_t k = 1; k < in_order.size(); ++k) {
    EXPECT_LT(implementation_rank(in_order[k - 1]), implementation_rank(in_order[k]));
  }
  EXPECT_EQ(implementation_rank("Clover"), implementation_rank("rusticl"));
}

TEST(OpenclDevices, SayWhatTheyAre) {
  const auto devices = opencl_devices();
  ASSERT_TRUE(devices) << devices.error().message;
  for (cl_device_id device : *devices) {
    const DeviceInfo info = describe(device);
    EXPECT_EQ(info.shares_host_cores, info.kind == DeviceKind::cpu);
    EXPECT_EQ(info.untried.empty(), info.kind == DeviceKind::cpu);
    EXPECT_GT(info.limits.memory_bytes, 0U);
    EXPECT_LE(info.limits.buffer_bytes, info.limits.memory_bytes);
  }
}

}  // namespace
}  // namespace vyre::backend::opencl
