// GLSL becomes valid SPIR-V, and what does not compile is told with file and line.

#include "backend/vulkan/spirv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "backend/vulkan/no_contraction.h"

namespace vyre::backend::vulkan {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kMagic = 0x07230203;

std::string shader(const std::string& body) {
  return "#version 460\nlayout(local_size_x = 8) in;\n"
         "layout(set = 0, binding = 0, std430) buffer B { float x[]; };\n"
         "void main() {\n" +
         body + "\n}\n";
}

std::string message(const std::string& text, const SpirvOptions& options = {}) {
  const auto words = compile_glsl(text, options);
  return words ? "" : words.error().message;
}

class Spirv : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string said = message(shader(""));
    if (said.empty()) return;
    ASSERT_EQ(said,
              "this vyre was built without glslang and SPIRV-Tools, which compile for Vulkan; "
              "install glslang-dev and spirv-tools, and build vyre again");
    GTEST_SKIP() << said;
  }
};

// How many decorations of a module say NoContraction.
std::ptrdiff_t exact_operations(const std::vector<std::uint32_t>& words) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16U) {
    if ((words[at] & 0xffffU) == 71 && words[at + 2] == 42) ++count;
  }
  return count;
}

TEST_F(Spirv, MakesModulesForEveryVersion) {
  for (const auto& [minor, version] :
       {std::pair{0U, 0x10000U}, {1U, 0x10300U}, {2U, 0x10500U}, {3U, 0x10500U}, {4U, 0x10500U}}) {
    const auto words = compile_glsl(shader("x[0] = 1.0;"), {.vulkan_minor = minor});
    ASSERT_TRUE(words) << words.error().message;
    ASSERT_GT(words->size(), 5U);
    EXPECT_EQ((*words)[0], kMagic);
    EXPECT_EQ((*words)[1], version);
  }
}

TEST_F(Spirv, TellsFileAndLine) {
  EXPECT_EQ(message(shader("x[0] = y;"), {.file = "mine.comp"}),
            "the GLSL does not compile: mine.comp:5: error: 'y' : undeclared identifier");
  EXPECT_THAT(message("#version 460\nvoid main() { int a = ; }\n"),
              HasSubstr("shader:2: error: '' :  syntax error"));
}

TEST_F(Spirv, DefinesMacros) {
  const std::string text = shader("x[0] = VALUE;");
  EXPECT_EQ(message(text, {.definitions = {{"VALUE", "2.5"}}}), "");
  EXPECT_THAT(message(text, {.definitions = {{"OTHER", "2.5"}}}), HasSubstr("shader:5: error"));
}

TEST_F(Spirv, KeepsLinesOfTheUserBehindMacros) {
  EXPECT_THAT(message(shader("x[0] = y;"), {.definitions = {{"AA", "1"}, {"BB", "2"}}}),
              HasSubstr("shader:5: error"));
}

TEST_F(Spirv, LimitsNoWorkgroup) {
  EXPECT_EQ(message("#version 460\nlayout(local_size_x = 4096, local_size_z = 128) in;\n"
                    "void main() {}\n"),
            "");
}

TEST_F(Spirv, MarksArithmeticThatMustBeExact) {
  const std::string text =
      shader("x[0] = x[1] * x[2] + x[3]; if (x[4] - x[5] > 0.0) x[6] = -x[7];");
  const auto plain = compile_glsl(text, {});
  const auto exact = compile_glsl(text, {.exact_arithmetic = true});
  const auto raw = compile_glsl(text, {.optimise = false, .exact_arithmetic = true});
  ASSERT_TRUE(plain && exact && raw);
  EXPECT_EQ(exact_operations(*plain), 0);
  EXPECT_EQ(exact_operations(*exact), 4);
  EXPECT_EQ(exact_operations(*raw), 4);
  EXPECT_EQ(without_contraction(*raw), *raw) << "operations are marked once";
}

TEST_F(Spirv, OptimisesAwayWhatIsNotUsed) {
  const std::string text = shader("float y = x[1]; for (int i = 0; i < 9; ++i) y *= 2.0;");
  const auto raw = compile_glsl(text, {.optimise = false});
  const auto small = compile_glsl(text, {});
  ASSERT_TRUE(raw && small);
  EXPECT_LT(small->size(), raw->size());
}

TEST_F(Spirv, NamesTheVersionsThatMadeAModule) {
  EXPECT_THAT(spirv_compiler(), ::testing::MatchesRegex(
                                    "glslang [0-9]+\\.[0-9]+\\..*, SPIRV-Tools .*, passes [0-9]+"));
}

TEST_F(Spirv, CompilesOnManyThreads) {
  std::array<std::string, 4> messages;
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < messages.size(); ++k) {
    threads.emplace_back([&, k] {
      for (std::size_t turn = 0; turn < 10; ++turn) {
        const bool good = (turn + k) % 2 == 0;
        const std::string got = message(shader(good ? "x[0] = 1.0;" : "x[0] = y;"));
        if (got.empty() != good) messages[k] = "turn " + std::to_string(turn) + ": " + got;
      }
    });
  }
  threads.clear();
  EXPECT_THAT(messages, ::testing::Each(""));
}

}  // namespace
}  // namespace vyre::backend::vulkan
