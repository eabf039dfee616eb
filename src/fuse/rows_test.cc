// Chains over rows: joined into one launch they give the same bits, and what cannot be joined is
// refused with its rule.

#include "fuse/rows.h"

#include <gtest/gtest.h>

#include <bit>

#include "bounds/coverage.h"
#include "fuse/merge.h"
#include "testing/joined_steps.h"
#include "testing/row_programs.h"

namespace vyre::fuse::rows_tests {
namespace {

using testing::expect_same;
using testing::Join;
using testing::join_steps;

struct RowChain {
  const char* name;
  std::string text;
  std::vector<Join> joins;
  std::vector<std::string> buffers;  // that are left
};

std::vector<std::string> names_of(const Stage& stage) {
  std::vector<std::string> out;
  for (const ir::Buffer& b : stage.program.buffers) out.push_back(b.name);
  return out;
}

std::vector<RowChain> chains() {
  using namespace testing;
  const std::string softmax = kRowMax + kExponential + kRowSum + kDivide + kSoftmax;
  const std::string norm = kRowSum + kCenter + kRowSquares + kNormalise + kLayernorm;
  return {
      {"softmax", softmax, {join_rows, join_rows, join_rows}, {"x", "out"}},
      {"its first two", softmax, {join_rows}, {"x", "weights"}},
      {"its first three", softmax, {join_rows, join_rows}, {"x", "weights", "total"}},
      {"layernorm", norm, {join_rows, join_rows, join_rows}, {"x", "gain", "out"}},
      {"rmsnorm",
       kSquare + kRowSum + kInverse + kScaleRows + kRmsnorm,
       {join_rows, join_merge, join_rows},
       {"x", "gain", "out"}},
      {"softmax of maps over elements",
       kRowMax + kFlatExponential + kRowSum + kFlatDivide + kSoftmaxFlat,
       {join_rows, join_rows, join_rows},
       {"x", "out"}},
      {"scores",
       kScores + kRowMax + kExponential + kRowSum + kDivide + kAttention,
       {join_rows, join_rows, join_rows, join_rows},
       {"q", "k", "out"}},
      {"rows that are also given back",
       kSquare + kRowSum + kSquareSums,
       {join_rows},
       {"x", "squares", "total"}},
  };
}

TEST(Rows, GiveTheSameBits) {
  for (const RowChain& chain : chains()) {
    SCOPED_TRACE(chain.name);
    const auto steps = join_steps(chain.text, chain.joins);
    ASSERT_TRUE(steps) << steps.error().rule << ": " << steps.error().why;
    auto names = names_of(steps->stage);
    auto expected = chain.buffers;
    std::ranges::sort(names);
    std::ranges::sort(expected);
    EXPECT_EQ(names, expected) << ir::print(steps->stage.program);
    std::uint64_t seed = 1;
    for (const std::uint32_t rows : {1U, 2U, 5U, 17U}) {
      for (const std::uint32_t cols : {1U, 3U, 16U}) {
        std::vector<Argument> arguments{{"rows", rows}, {"cols", cols}};
        for (const ir::Symbol& s : steps->original.symbols) {
          if (s.name == "depth") arguments.push_back({"depth", 3});
          if (s.name == "epsilon")
            arguments.push_back({"epsilon", std::bit_cast<std::uint32_t>(0.5F)});
        }
        expect_same(*steps, arguments, seed++);
      }
    }
  }
}

// A row that lives in the output is stored before it is loaded, so no zeros are needed.
TEST(Rows, NeedNoZerosInTheOutput) {
  using namespace testing;
  const auto steps = join_steps(kRowMax + kExponential + kRowSum + kDivide + kSoftmax,
                                {join_rows, join_rows, join_rows});
  ASSERT_TRUE(steps);
  const ir::Program& program = steps->stage.program;
  std::vector<std::optional<std::uint64_t>> symbols;
  for (const ir::Symbol& s : program.symbols) {
    symbols.emplace_back(s.name == "rows" ? 5 : s.name == "cols" ? 7 : 4);
  }
  for (std::uint32_t k = 0; k < program.buffers.size(); ++k) {
    if (program.buffers[k].access != ir::Access::write) continue;
    EXPECT_TRUE(bounds::covers(program, k, 35, {symbols, {2, 1, 1}, {4, 1, 1}}));
    EXPECT_FALSE(bounds::covers(program, k, 35, {symbols, {1, 1, 1}, {4, 1, 1}})) << "four rows";
  }
}

// Two steps over whole rows have the same numbers, but what they share is more than an element.
TEST(Rows, AreNotMerged) {
  using namespace testing;
  const std::string twice =
      changed(changed(row_program("row_twice", "squares", "0f", "0f", "0f"), "squares: f32[rows]",
                      "squares: f32[rows * cols]"),
              "most = 0f\n", "squares[r * cols + c] = x[r * cols + c] * 2f\n");
  const std::string text = changed(twice, "squares[r] = 0f", "") + kRowSum +
                           changed(kSquareSums, "run square(x, squares)",
                                   "run row_twice(x, squares; rows = rows, cols = cols)");
  const auto merged = join_steps(text, {join_merge});
  ASSERT_FALSE(merged) << ir::print(merged->stage.program);
  EXPECT_EQ(merged.error().rule, "merge.rows") << merged.error().why;
  EXPECT_EQ(merged.error().why, "\"row_twice\" and \"row_sum\" share rows, not elements");
  const auto joined = join_steps(text, {join_rows});
  ASSERT_TRUE(joined) << joined.error().rule << ": " << joined.error().why;
  for (const std::uint32_t rows : {1U, 5U})
    expect_same(*joined, {{"rows", rows}, {"cols", 3}}, rows);
}

struct RowRefusal {
  const char* name;
  std::string text;
  const char* rule;
  const char* why;
};

TEST(Rows, AreRefusedWithTheirRule) {
  using namespace testing;
  const std::string sequence = kRowPair;
  const RowRefusal table[] = {
      {"another row's statistic",
       kRowMax + changed(kExponential, "largest[r]", "largest[r + 1u]") + sequence, "rows.shared",
       "\"largest\" is written by one of \"row_max\" and \"exponential\" and touched by the other "
       "one at "
       "elements that may belong to other invocations"},
      {"one row's statistic for all",
       kRowMax + changed(kExponential, "largest[r]", "largest[0u]") + sequence, "rows.shared",
       "\"largest\" is written"},
      {"columns", kRowMax + changed(kExponential, "largest[r]", "largest[c]") + sequence,
       "rows.shared", "\"largest\" is written"},
      {"fewer rows", changed(kRowMax, "if r < rows", "if r + 1u < rows") + kExponential + sequence,
       "rows.domain", "\"row_max\" and \"exponential\" do not run for the same rows"},
      {"too small a grid",
       changed(kRowMax, "grid [(rows + rows_block - 1u) / rows_block]", "grid [rows_block]") +
           kExponential + sequence,
       "rows.domain", "do not run for the same rows"},
      {"a barrier", changed(kRowMax, "let r: u32", "barrier let r: u32") + kExponential + sequence,
       "rows.barrier", "\"row_max\" has a barrier"},
      {"an array",
       changed(kRowMax, "workgroup", "private kept: f32[4u] workgroup") + kExponential + sequence,
       "rows.array", "\"row_max\" keeps values in the array \"step0_kept\""},
      {"an early end",
       changed(kRowMax, "largest[r] = most", "largest[r] = most if most > 1f { return }") +
           kExponential + sequence,
       "rows.return", "an invocation of \"row_max\" may end early"},
      {"a local id",
       kRowMax +
           changed(kExponential, "exp(x[r * cols + c] - largest[r])",
                   "f32(local_id(0)) + largest[r]") +
           sequence,
       "rows.frame", "\"exponential\" uses local_id(0), which only its own launch has"},
      {"zeros", kRowMax + kZeroing + kZeroed, "rows.zeroed",
       "\"zeroing\" starts \"largest\" as zeros, which \"row_max\" uses"},
      {"elements only",
       kSquare + changed(kSquare, "program square", "program square_again") + kTwoMaps, "rows.none",
       "\"square\" and \"square_again\" share no row; they can be merged"},
  };
  for (const RowRefusal& c : table) {
    const auto steps = join_steps(c.text, {join_rows});
    ASSERT_FALSE(steps) << c.name << "\n" << ir::print(steps->stage.program);
    EXPECT_EQ(steps.error().rule, c.rule) << c.name << ": " << steps.error().why;
    EXPECT_NE(steps.error().why.find(c.why), std::string::npos)
        << c.name << ": " << steps.error().why;
  }
}

}  // namespace
}  // namespace vyre::fuse::rows_tests
