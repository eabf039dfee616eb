// The programs of src/emit/golden are emitted as expected, to the letter, and an OpenCL compiler
// accepts the text. With VYRE_UPDATE_GOLDEN=1 the expected texts are written anew instead: read the
// difference.

#include <gtest/gtest.h>

#include <filesystem>

#include "emit/opencl/opencl_c.h"
#include "testing/golden_programs.h"
#include "testing/opencl_compile.h"
#include "vyre/program.h"
#include "vyre/substrate/primitives.h"

namespace vyre::emit {
namespace {

std::filesystem::path golden_cl(const std::string& name) {
  return std::filesystem::path(VYRE_SOURCE_DIR) / "src/emit/opencl/golden" / (name + ".cl");
}

TEST(OpenClC, LoadsOfThePrimitivesNeedNoGuards) {
  for (const auto& sequence :
       {primitives::natural_gradient_block_apply(4096), primitives::softmax_step(100'000),
        primitives::softmax_step(1000), primitives::tt_contract_step(300, 200)}) {
    ASSERT_TRUE(sequence) << sequence.error().message;
    const auto text = testing::emitted(opencl_c, {&sequence->def(), 1});
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(text->find("vyre_load"), std::string::npos) << *text;
  }
}

TEST(OpenClC, RefusesNamesThatNoKernelCanHave) {
  const auto program = ir::parse_program("program p {\n}\n");
  ASSERT_TRUE(program);
  const auto message = [&](const std::vector<std::string>& entries) {
    std::vector<KernelSource> kernels;
    for (const std::string& entry : entries)
      kernels.push_back({.program = &*program, .entry = entry});
    const auto text = opencl_c(kernels);
    return text ? "" : text.error().message;
  };
  EXPECT_EQ(message({"a", "k__b"}), "");
  EXPECT_EQ(message({"a", "a"}), "two kernels are called \"a\"; give each its own entry name");
  for (const std::string bad : {"", "1a", "a-b", "float", "get_global_id"}) {
    EXPECT_EQ(message({bad}), "\"" + bad +
                                  "\" cannot be the name of an OpenCL kernel; choose another entry "
                                  "name");
  }
}

TEST(OpenClC, RefusesSourceText) {
  ir::Program program;
  program.name = "p";
  program.source = ir::Source{};
  const KernelSource kernel{.program = &program, .entry = "k"};
  const auto text = opencl_c({&kernel, 1});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "program \"p\" is source text already; compile that");
}

// Compilers limit how deep brackets may go.
TEST(OpenClC, DeepExpressionsCompile) {
  ASSERT_TRUE(testing::has_opencl()) << "no OpenCL device; run tools/setup";
  ir::SequenceDef deep;
  for (const std::string_view pattern : testing::deep_patterns()) {
    deep.programs.push_back(testing::deepest_program(pattern));
    ASSERT_FALSE(deep.programs.back().body.empty());
  }
  const auto source = testing::emitted(opencl_c, {&deep, 1}, "k");
  ASSERT_TRUE(source) << source.error().message;
  const auto program = testing::OpenClProgram::compile(*source);
  EXPECT_TRUE(program) << program.error().message;
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, IsEmittedAsExpected) {
  const auto sequence = testing::golden_program(VYRE_SOURCE_DIR, GetParam());
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto text = testing::emitted(opencl_c, {&*sequence, 1});
  ASSERT_TRUE(text) << text.error().message;
  const auto expected = testing::golden_text(golden_cl(GetParam()), *text);
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(*text, *expected);
}

TEST_P(Golden, Compiles) {
  ASSERT_TRUE(testing::has_opencl()) << "no OpenCL device; run tools/setup";
  const auto sequence = testing::golden_program(VYRE_SOURCE_DIR, GetParam());
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto text = testing::emitted(opencl_c, {&*sequence, 1});
  ASSERT_TRUE(text) << text.error().message;
  const auto program = testing::OpenClProgram::compile(*text);
  EXPECT_TRUE(program) << program.error().message;
}

INSTANTIATE_TEST_SUITE_P(OpenCl, Golden,
                         ::testing::ValuesIn(testing::golden_programs(VYRE_SOURCE_DIR)),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace vyre::emit
