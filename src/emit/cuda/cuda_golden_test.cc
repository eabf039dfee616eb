// The programs of src/emit/golden are emitted as expected, to the letter, and NVIDIA's and AMD's
// compilers accept the text. With VYRE_UPDATE_GOLDEN=1 the expected texts are written anew instead:
// read the difference.

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "emit/cuda/cuda_cpp.h"
#include "testing/golden_programs.h"
#include "testing/nvrtc_compile.h"
#include "vyre/problem.h"
#include "vyre/program.h"

namespace vyre::emit {
namespace {

std::filesystem::path golden_cu(const std::string& name) {
  return std::filesystem::path(VYRE_SOURCE_DIR) / "src/emit/cuda/golden" / (name + ".cu");
}

class GoldenCuda : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenCuda, IsEmittedAsExpected) {
  const auto sequence = testing::golden_program(VYRE_SOURCE_DIR, GetParam());
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto text = testing::emitted(cuda_cpp, {&*sequence, 1});
  ASSERT_TRUE(text) << text.error().message;
  const auto expected = testing::golden_text(golden_cu(GetParam()), *text);
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(*text, *expected);
}

INSTANTIATE_TEST_SUITE_P(Cuda, GoldenCuda,
                         ::testing::ValuesIn(testing::golden_programs(VYRE_SOURCE_DIR)),
                         [](const auto& one) { return one.param; });

class CompiledCuda : public ::testing::TestWithParam<std::string> {};

TEST_P(CompiledCuda, AllProgramsCompile) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  const auto text = testing::all_emitted(cuda_cpp, VYRE_SOURCE_DIR);
  ASSERT_TRUE(text) << text.error().message;
  const auto built = testing::nvrtc_compile(*text, GetParam(), testing::nvrtc_program_options());
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_TRUE(
      built->code.starts_with("\x7f"
                              "ELF"));
  EXPECT_GT(testing::reported_functions(built->log), 25U) << built->log;
}

INSTANTIATE_TEST_SUITE_P(Nvidia, CompiledCuda,
                         ::testing::Values("sm_75", "sm_80", "sm_90", "sm_120"),
                         [](const auto& one) { return one.param; });

// The default configurations of the bundled kernels that are written in our language.
TEST(CudaCpp, TheDefaultsOfTheBundledKernelsSpillNothing) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << testing::kNoNvrtc;
  std::vector<ir::SequenceDef> all;
  for (const char* name : {"saxpy", "reduction", "softmax", "matvec", "gemm"}) {
    const auto problem = bundled_problem(name);
    ASSERT_TRUE(problem) << problem.error().message;
    all.push_back(problem->sequence.def());
  }
  const auto text = testing::emitted(cuda_cpp, all, "k");
  ASSERT_TRUE(text) << text.error().message;
  for (const char* architecture : {"sm_75", "sm_90"}) {
    const auto built =
        testing::nvrtc_compile(*text, architecture, testing::nvrtc_program_options());
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_GE(testing::reported_functions(built->log), all.size()) << built->log;
    EXPECT_EQ(testing::spilled_bytes(built->log), 0U) << built->log;
  }
}

TEST(CudaCpp, RefusesNamesThatNoKernelCanHave) {
  const auto program = ir::parse_program("program p {\n}\n");
  ASSERT_TRUE(program);
  for (const char* bad :
       {"", "1a", "namespace", "atomicAdd", "threadIdx", "expf", "u64", "float4"}) {
    const KernelSource kernel{.program = &*program, .entry = bad};
    const auto text = cuda_cpp({&kernel, 1});
    ASSERT_FALSE(text) << bad;
    EXPECT_EQ(text.error().message, "\"" + std::string(bad) +
                                        "\" cannot be the name of a CUDA kernel; choose another "
                                        "entry name");
  }
}

TEST(SpilledBytes, AreThoseOfAllFunctions) {
  const std::string_view log =
      "ptxas info    : Function properties for a\n"
      "    8 bytes stack frame, 12 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Function properties for b\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n";
  EXPECT_EQ(testing::spilled_bytes(log), 16U);
  EXPECT_EQ(testing::reported_functions(log), 2U);
}

}  // namespace
}  // namespace vyre::emit
