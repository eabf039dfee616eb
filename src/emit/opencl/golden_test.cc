// The programs in golden/ are emitted as expected, to the letter, and an OpenCL compiler accepts
// the text. With VYRE_UPDATE_GOLDEN=1 the expected texts are written anew instead: read the
// difference.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files/whole_file.h"
#include "emit/opencl/opencl_c.h"
#include "ir/rewrite/fold.h"
#include "testing/opencl_compile.h"
#include "vyre/program.h"
#include "vyre/substrate/primitives.h"

namespace vyre::emit {
namespace {

constexpr std::size_t kMostBytes = 1U << 20U;
const std::filesystem::path kGolden =
    std::filesystem::path(VYRE_SOURCE_DIR) / "src" / "emit" / "opencl" / "golden";

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
    if (entry.path().extension() == ".vyre") out.push_back(entry.path().stem().string());
  }
  std::ranges::sort(out);
  return out;
}

std::array<std::uint32_t, 3> declared_workgroup(const ir::Program& program) {
  if (std::ranges::all_of(program.workgroup, [](auto e) { return e == ir::kNone; })) {
    return {64, 1, 1};
  }
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (program.workgroup[axis] == ir::kNone) continue;
    const auto size = ir::fold(program, program.workgroup[axis], ir::default_bits(program.symbols));
    out[axis] = static_cast<std::uint32_t>(size.value_or(1));
  }
  return out;
}

std::vector<std::uint64_t> default_symbols(const ir::Program& program) {
  std::vector<std::uint64_t> out;
  for (const ir::Symbol& s : program.symbols) out.push_back(s.default_bits);
  return out;
}

// A kernel for each program, with tunables at their defaults.
Expected<std::string> emitted(const ir::SequenceDef& sequence) {
  std::vector<std::vector<std::uint64_t>> symbols;
  for (const ir::Program& p : sequence.programs) symbols.push_back(default_symbols(p));
  std::vector<KernelSource> kernels;
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    const ir::Program& p = sequence.programs[k];
    kernels.push_back({&p, symbols[k], declared_workgroup(p), p.name});
  }
  return opencl_c(kernels);
}

Expected<std::string> emitted(const std::string& text) {
  auto sequence = ir::parse(text);
  if (!sequence) return std::unexpected(sequence.error());
  for (const Error& error : ir::validate(*sequence)) return std::unexpected(error);
  return emitted(*sequence);
}

TEST(OpenClC, LoadsOfThePrimitivesNeedNoGuards) {
  for (const auto& sequence :
       {primitives::natural_gradient_block_apply(4096), primitives::softmax_step(100'000),
        primitives::softmax_step(1000), primitives::tt_contract_step(300, 200)}) {
    ASSERT_TRUE(sequence) << sequence.error().message;
    const auto text = emitted(sequence->def());
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

// A program with an expression in which the pattern is nested as deeply as the language allows.
ir::Program deepest(std::string_view pattern) {
  ir::Program last;
  for (std::string text = "s";;) {
    std::string next(pattern);
    text = next.replace(next.find('$'), 1, text);
    auto program = ir::parse_program(fmt::format(
        "program p {{\nscalar s: i32\nscalar b: bool\nread x: i32[4u]\nwrite y: i32[4u]\n"
        "y[0u] = {}\nwhile ({}) == 1i limit 2u {{ }}\n}}\n",
        text, text));
    if (!program || !ir::validate(*program).empty()) return last;
    last = *std::move(program);
  }
}

// Compilers limit how deep brackets may go.
TEST(OpenClC, DeepExpressionsCompile) {
  ASSERT_TRUE(testing::has_opencl()) << "no OpenCL device; run tools/setup";
  std::vector<ir::Program> programs;
  for (const std::string_view pattern :
       {"-($)", "1i - ($)", "abs($)", "3i << u32($)", "2i / ($)", "select(b, $, 1i)",
        "select(bool($), 2i, 3i)", "x[$]", "i32(f32($))", "bits_i32(bits_f32($))", "2i ^ ~($)",
        "min($, 4i) % 3i"}) {
    programs.push_back(deepest(pattern));
  }
  const std::vector<std::uint64_t> symbols(2);
  std::vector<KernelSource> kernels;
  for (const ir::Program& p : programs) {
    ASSERT_FALSE(p.body.empty());
    kernels.push_back({&p, symbols, {1, 1, 1}, "k" + std::to_string(kernels.size())});
  }
  const auto source = opencl_c(kernels);
  ASSERT_TRUE(source) << source.error().message;
  const auto program = testing::OpenClProgram::compile(*source);
  EXPECT_TRUE(program) << program.error().message;
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, IsEmittedAsExpected) {
  const auto input = read_file(kGolden / (GetParam() + ".vyre"), kMostBytes);
  ASSERT_TRUE(input) << input.error().message;
  const auto text = emitted(*input);
  ASSERT_TRUE(text) << text.error().message;
  const std::filesystem::path file = kGolden / (GetParam() + ".cl");
  if (const char* update = std::getenv("VYRE_UPDATE_GOLDEN"); update != nullptr) {
    ASSERT_TRUE(write_file_atomically(file, *text));
  }
  const auto expected = read_file(file, kMostBytes);
  ASSERT_TRUE(expected) << expected.error().message;
  EXPECT_EQ(*text, *expected);
}

TEST_P(Golden, Compiles) {
  ASSERT_TRUE(testing::has_opencl()) << "no OpenCL device; run tools/setup";
  const auto text = read_file(kGolden / (GetParam() + ".cl"), kMostBytes);
  ASSERT_TRUE(text) << text.error().message;
  const auto program = testing::OpenClProgram::compile(*text);
  EXPECT_TRUE(program) << program.error().message;
}

INSTANTIATE_TEST_SUITE_P(OpenCl, Golden, ::testing::ValuesIn(names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace vyre::emit
