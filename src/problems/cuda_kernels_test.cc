// Whole problems in CUDA C++ that NVIDIA's compiler accepts: published T1 files with kernels of
// ours that fit them, and the twins of the bundled kernels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files/whole_file.h"
#include "testing/compiled_problem.h"
#include "testing/nvrtc_compile.h"
#include "testing/shared_data.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "vyre/problem.h"
#include "vyre/recording.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostKernelBytes = 1U << 20U;

struct HubProblem {
  const char* t1;      // of the shared data
  const char* kernel;  // of hub_kernels/
  bool contradicts;    // whether GlobalSize and GridDiv disagree
};

void PrintTo(const HubProblem& problem, std::ostream* out) { *out << problem.t1; }

class HubCuda : public ::testing::TestWithParam<HubProblem> {
 protected:
  // The T1 file with our kernel beside it, under the name that it wants.
  Expected<Problem> load() {
    const auto shared = testing::shared_dir(VYRE_SOURCE_DIR);
    const fs::path source = fs::path(VYRE_SOURCE_DIR) / "src/problems/hub_kernels";
    auto t1 = read_file(*shared / "search/t1" / GetParam().t1, kMostKernelBytes);
    if (!t1) return std::unexpected(t1.error());
    auto kernel = read_file(source / GetParam().kernel, kMostKernelBytes);
    if (!kernel) return std::unexpected(kernel.error());
    auto parsed = recording::parse_t1(*t1, GetParam().t1);
    if (!parsed) return std::unexpected(parsed.error());
    const fs::path beside = folder_.path() / parsed->kernel.kernel_file;
    fs::create_directories(beside.parent_path());
    EXPECT_TRUE(write_file_atomically(beside, *kernel));
    EXPECT_TRUE(write_file_atomically(folder_.path() / GetParam().t1, *t1));
    return load_problem(folder_.path() / GetParam().t1);
  }

  testing::TemporaryFolder folder_;
};

TEST_P(HubCuda, LoadsAndCompiles) {
  if (!testing::shared_dir(VYRE_SOURCE_DIR)) {
    GTEST_SKIP() << "the shared problems are not beside the checkout";
  }
  const auto problem = load();
  ASSERT_TRUE(problem) << problem.error().message;
  const auto warns = [](const std::string& w) { return w.starts_with("GlobalSize.X"); };
  EXPECT_EQ(std::ranges::any_of(problem->warnings, warns), GetParam().contradicts);
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  for (const char* architecture : {"sm_80", "sm_90"}) {
    const auto compiled =
        testing::compile_configurations(*problem, testing::cases(3, 20), architecture);
    EXPECT_TRUE(compiled) << compiled.error().message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, HubCuda,
    ::testing::Values(HubProblem{"convolution.json", "convolution.cu", true},
                      HubProblem{"dedispersion_milo.json", "dedispersion.cu", true},
                      HubProblem{"hotspot_milo.json", "hotspot.cu", false},
                      HubProblem{"pnpoly.json", "pnpoly.cu", true}),
    [](const auto& one) { return fs::path(one.param.kernel).stem().string(); });

class CudaTwin : public ::testing::TestWithParam<std::string> {};

TEST_P(CudaTwin, HasTheSpaceOfTheOpenclKernel) {
  const auto twin =
      load_problem(fs::path(VYRE_SOURCE_DIR) / "kernels" / "cuda" / (GetParam() + "_cuda.json"));
  ASSERT_TRUE(twin) << twin.error().message;
  EXPECT_THAT(twin->warnings, ::testing::IsEmpty());
  const auto original = bundled_problem(GetParam());
  ASSERT_TRUE(original) << original.error().message;
  EXPECT_EQ(twin->space.parameters(), original->space.parameters());
  EXPECT_EQ(twin->space.size(), original->space.size());
  EXPECT_EQ(twin->default_index, original->default_index);
  EXPECT_EQ(*twin->inputs, *original->inputs);
}

TEST_P(CudaTwin, Compiles) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  const auto twin = bundled_problem(GetParam(), {}, ir::Language::cuda);
  ASSERT_TRUE(twin) << twin.error().message;
  const auto compiled = testing::compile_configurations(*twin, testing::cases(3, 20), "sm_80");
  EXPECT_TRUE(compiled) << compiled.error().message;
}

TEST(BundledProblems, AreInTheLanguageOfTheDevice) {
  const auto language = [](std::string_view name, ir::Language wanted) {
    const auto problem = bundled_problem(name, {}, wanted);
    EXPECT_TRUE(problem) << problem.error().message;
    const auto& source = problem->sequence.def().programs[0].source;
    return source ? std::optional(source->language) : std::nullopt;
  };
  for (const auto wanted : {ir::Language::opencl_c, ir::Language::cuda, ir::Language::hip}) {
    EXPECT_EQ(language("stencil", wanted), wanted);
    EXPECT_EQ(language("saxpy", wanted), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaTwin, ::testing::Values("conv2d", "stencil", "transpose"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace vyre
