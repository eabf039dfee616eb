// The programs of src/emit/golden are emitted as expected, to the letter, and become SPIR-V that
// SPIRV-Tools finds valid, with every combination of macros. With VYRE_UPDATE_GOLDEN=1 the expected
// texts are written anew instead: read the difference.

#include <gtest/gtest.h>

#include <filesystem>

#include "backend/vulkan/spirv.h"
#include "emit/glsl/glsl.h"
#include "testing/golden_programs.h"
#include "vyre/program.h"

namespace vyre::emit {
namespace {

// A shader has one kernel; the golden text of a sequence has its shaders one after the other.
Expected<std::string> one_by_one(std::span<const KernelSource> kernels) {
  std::string out;
  for (const KernelSource& kernel : kernels) {
    auto text = glsl({&kernel, 1});
    if (!text) return text;
    out += *text;
  }
  return out;
}

std::vector<std::string> shaders_of(const std::string& text) {
  constexpr std::string_view kFirst = "#version 460\n";
  std::vector<std::string> out;
  for (std::size_t at = 0; at != text.npos;) {
    const std::size_t next = text.find(kFirst, at + 1);
    out.push_back(text.substr(at, next == text.npos ? next : next - at));
    at = next;
  }
  return out;
}

using Definitions = std::vector<std::pair<std::string, std::string>>;

const std::vector<Definitions> kDevices{
    {},
    {{"VYRE_OWN_FMA", ""}, {"VYRE_OWN_FUNCTIONS", ""}},
    {{"VYRE_OWN_FMA", ""}, {"VYRE_FLOAT64", ""}, {"VYRE_FLOAT_CONTROLS", ""}},
};

std::string mistake_in(const std::string& shader) {
  for (const Definitions& definitions : kDevices) {
    for (const bool optimise : {false, true}) {
      const auto words = backend::vulkan::compile_glsl(
          shader, {.definitions = definitions, .optimise = optimise, .exact_arithmetic = true});
      if (!words) return words.error().message;
    }
  }
  return "";
}

bool has_compiler() {
  static const bool has =
      backend::vulkan::compile_glsl("#version 460\nvoid main() {}\n", {}).has_value();
  return has;
}

TEST(Glsl, DeepExpressionsCompile) {
  if (!has_compiler()) GTEST_SKIP() << "built without glslang; run tools/setup";
  for (const std::string_view pattern : testing::deep_patterns()) {
    ir::SequenceDef deep;
    deep.programs.push_back(testing::deepest_program(pattern));
    const auto source = testing::emitted(one_by_one, {&deep, 1});
    ASSERT_TRUE(source) << source.error().message;
    const auto words = backend::vulkan::compile_glsl(*source, {});
    EXPECT_TRUE(words) << pattern << ": " << words.error().message;
  }
}

TEST(Glsl, NamesNoWideIntegersWithoutNeed) {
  const auto program = ir::parse_program(
      "program p {\n  scalar i: i32\n  read_write x: u32[4u]\n  x[i] = x[i] + "
      "popcount(x[1u])\n}\n");
  ASSERT_TRUE(program);
  const KernelSource kernel{.program = &*program};
  const auto text = glsl({&kernel, 1});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("int64_t"), std::string::npos) << *text;
}

// glslang computes with float constants in doubles, so it must not see two of them.
TEST(Glsl, FoldsFloatConstantsItself) {
  const auto program = ir::parse_program(
      "program p {\n  tunable t: f32 = 3f\n  write x: f32[4u]\n"
      "  let a: f32 = 0.1f * t + f32(16777217u)\n  x[0u] = a * 2f\n}\n");
  ASSERT_TRUE(program) << program.error().message;
  const std::uint64_t bits[] = {0x40400000};
  const KernelSource kernel{.program = &*program, .symbols = bits};
  const auto text = glsl({&kernel, 1});
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("  float a = 16777216.0f;\n"), std::string::npos) << *text;
}

TEST(Glsl, RefusesSourceText) {
  ir::Program program;
  program.name = "p";
  program.source = ir::Source{};
  const KernelSource kernel{.program = &program};
  const auto text = glsl({&kernel, 1});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "program \"p\" is source text already; compile that");
}

class GlslText : public ::testing::TestWithParam<std::string> {};

TEST_P(GlslText, IsEmittedAsExpected) {
  const auto sequence = testing::golden_program(VYRE_SOURCE_DIR, GetParam());
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto text = testing::emitted(one_by_one, {&*sequence, 1});
  ASSERT_TRUE(text) << text.error().message;
  const auto file =
      std::filesystem::path(VYRE_SOURCE_DIR) / "src/emit/glsl/golden" / (GetParam() + ".comp");
  const auto expected = testing::golden_text(file, *text);
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(*text, *expected);
}

TEST_P(GlslText, IsValidSpirv) {
  if (!has_compiler()) GTEST_SKIP() << "built without glslang; run tools/setup";
  const auto sequence = testing::golden_program(VYRE_SOURCE_DIR, GetParam());
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto text = testing::emitted(one_by_one, {&*sequence, 1});
  ASSERT_TRUE(text) << text.error().message;
  for (const std::string& shader : shaders_of(*text)) EXPECT_EQ(mistake_in(shader), "") << shader;
}

INSTANTIATE_TEST_SUITE_P(Glsl, GlslText,
                         ::testing::ValuesIn(testing::golden_programs(VYRE_SOURCE_DIR)),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace vyre::emit
