// From a program to a module in the driver, over a scripted driver: forms of images, logs, the
// binary store.

#include "backend/cuda/build.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/scripted_device.h"
#include "testing/temporary_folder.h"
#include "vyre/cuda.h"

namespace vyre::backend::cuda {
namespace {

using testing::compile_counting;
using testing::CudaScript;
using testing::new_cuda_script;
using testing::open_scripted;

TEST(cuda_images, ADriverThatTakesNoBinariesGetsPtxFromThenOn) {
  CudaScript& script = new_cuda_script();
  script.loads_binaries = false;
  script.ptx = ".entry k_counting(.param .u64 y)";
  const auto device = open_scripted();
  ASSERT_TRUE(compile_counting(*device, {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 2U);
  EXPECT_EQ(script.options.back(), "--gpu-architecture=compute_80");
  ASSERT_TRUE(compile_counting(*device, {32, 1, 1}));
  EXPECT_EQ(script.count("compile"), 3U);
}

TEST(cuda_images, SourcesThatDoNotCompileAreRejectedWithTheLog) {
  CudaScript& script = new_cuda_script();
  script.fails["compile"] = 6;
  script.log = "counting.cu(3): warning: w\ncounting.cu(4): error: expected a \";\"\n";
  const auto device = open_scripted();
  auto kernel = compile_counting(*device, {64, 1, 1});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().kind, ErrorKind::rejected);
  EXPECT_EQ(kernel.error().message,
            "\"counting\" does not compile: counting.cu(4): error: expected a \";\"");
  script.fails = {{"lowered_name", 10}};
  kernel = compile_counting(*device, {64, 1, 1});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().message,
            "\"counting\" has no kernel \"k_counting\"; check the name, and the arguments of a "
            "template");
}

TEST(cuda_images, AreKeptInTheStore) {
  const testing::TemporaryFolder folder;
  const DeviceOptions options{.binary_store = folder / "kernels"};
  CudaScript& script = new_cuda_script();
  const CudaCounts before = cuda_counts();
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 1U);
  EXPECT_EQ(cuda_counts().compiled - before.compiled, 1U);
  EXPECT_EQ(cuda_counts().loaded - before.loaded, 1U);
  // Everything that decides the image: workgroup, architecture, compiler.
  ASSERT_TRUE(compile_counting(*open_scripted(options), {32, 1, 1}));
  script.capability = 90;
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  script.compiler_minor = 1;
  script.driver_version = 13010;
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 4U);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "kernels")) {
    std::ofstream(entry.path(), std::ios::app) << "x";
  }
  ASSERT_TRUE(compile_counting(*open_scripted(options), {64, 1, 1}));
  EXPECT_EQ(script.count("compile"), 5U);
  EXPECT_EQ(cuda_counts().damaged - before.damaged, 1U);
}

TEST(cuda_images, AModuleInUseIsNotLoadedTwice) {
  CudaScript& script = new_cuda_script();
  const auto device = open_scripted();
  const auto first = compile_counting(*device, {64, 1, 1});
  const auto second = compile_counting(*device, {64, 1, 1});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(script.count("module_load"), 1U);
}

}  // namespace
}  // namespace vyre::backend::cuda
