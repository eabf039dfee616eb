// Golden texts: parsing and printing a text gives the same text.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ir/rewrite/sequence_of.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

std::vector<std::filesystem::path> golden_texts() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(VYRE_SOURCE_DIR) / "tests" / "golden" / "ir";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".vyre") files.push_back(entry.path());
  }
  return files;
}

std::string read_all(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Text, GoldenTextsPrintAsTheyWereRead) {
  const auto files = golden_texts();
  EXPECT_GE(files.size(), 8U);
  for (const auto& file : files) {
    const std::string text = read_all(file);
    const auto sequence = parse(text);
    ASSERT_TRUE(sequence) << file << ": " << sequence.error().message;
    EXPECT_EQ(print(*sequence), text) << file;
    EXPECT_EQ(*parse(print(*sequence)), *sequence) << file;
  }
}

TEST(Text, SpaceAndCommentsDoNotCount) {
  const auto spaced =
      parse_program("// first\nprogram p{write y:u32[4u]// buffer\r\n\ty[0u]=1u}//");
  const auto plain = parse_program("program p {\n  write y: u32[4u]\n\n  y[0u] = 1u\n}\n");
  ASSERT_TRUE(spaced) << spaced.error().message;
  EXPECT_EQ(*spaced, *plain);
}

TEST(Text, ReadsMoreSpellingsThanItPrints) {
  struct Case {
    const char* given;
    const char* printed;
  };
  for (const auto& [given, printed] : {
           Case{"0xffu", "255u"},
           Case{"-0x80000000i", "-2147483648i"},
           Case{"i32(0xffffffff)", "-1i"},
           Case{"bool(0x1)", "true"},
           Case{"f32(0x3fc00000)", "1.5f"},
           Case{"1.50e0f", "1.5f"},
           Case{"add(1u, mul(2u, 3u))", "1u + 2u * 3u"},
           Case{"((1u)) + (2u * 3u)", "1u + 2u * 3u"},
           Case{"- 3i", "-3i"},
           Case{"neg(3i)", "-(3i)"},
           Case{"not(true)", "!true"},
           Case{"sub(1u, sub(2u, 3u))", "1u - (2u - 3u)"},
       }) {
    const auto program = parse_program(std::string("program p { let v: u32 = ") + given + " }");
    ASSERT_TRUE(program) << given << ": " << program.error().message;
    EXPECT_EQ(print_stmt(*program, 0), std::string("let v: u32 = ") + printed);
  }
}

TEST(Text, AProgramIsASequenceOfOne) {
  const std::string text =
      read_all(std::filesystem::path(VYRE_SOURCE_DIR) / "tests/golden/ir/saxpy.vyre");
  const auto program = parse_program(text);
  ASSERT_TRUE(program) << program.error().message;
  const SequenceDef sequence = sequence_of(*program);
  EXPECT_EQ(*parse(text), sequence);
  EXPECT_EQ(print(sequence), text);
  EXPECT_EQ(sequence.name, "saxpy");
  ASSERT_EQ(sequence.steps.size(), 1U);
  EXPECT_EQ(sequence.steps[0].buffers, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(sequence.steps[0].symbols.size(), 2U);
}

TEST(Text, ConditionsOfStepsAndValuesOfTunables) {
  const std::string text =
      "program p {\n  tunable t: f32 = 0.5f in 0.5f, -1f, f32(0x7fc00000)\n  write y: u32[4u]\n}\n"
      "\nsequence s {\n  shape n: u32 = 4096u\n  tunable in: u32 = 1u in 0u, 1u\n  tunable b: bool "
      "= false\n"
      "  write y: u32[4u]\n\n  run p(y) when in == 0u\n  run p(y)\n  run p(y) when b\n}\n";
  const auto sequence = parse(text);
  ASSERT_TRUE(sequence) << sequence.error().message;
  EXPECT_EQ(print(*sequence), text);
  EXPECT_EQ(sequence->symbols[0].default_bits, 4096U);
  EXPECT_EQ(sequence->symbols[1].values, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(validate(*sequence), std::vector<Error>{});
  EXPECT_EQ(sequence->steps[1].when, kNone);
  EXPECT_EQ(sequence->exprs[sequence->steps[2].when].index, 2U);
}

// A statement may begin with the name `in`, right behind a tunable.
TEST(Text, InIsAWordOnlyBeforeAValue) {
  for (const char* statement : {"in[0u] = 1u", "in.x2[0u] = u32x2(1u, 2u)"}) {
    const auto program = parse_program(
        std::string("program p { write in: u32[4u] tunable t: u32 = 1u ") + statement + " }");
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_TRUE(program->symbols[0].values.empty());
    EXPECT_EQ(program->stmts.size(), 1U);
  }
}

TEST(Text, InnerNamesHideOuterOnes) {
  const auto program = parse_program(
      "program p { let a: u32 = 1u if true { let a: i32 = 2i let b: i32 = a } let c: u32 = a }");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->exprs[program->stmts[2].args[0]].index, 1U);
  EXPECT_EQ(program->exprs[program->stmts.back().args[0]].index, 0U);
}

}  // namespace
}  // namespace vyre::ir
