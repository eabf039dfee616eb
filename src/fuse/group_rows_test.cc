// Chains in which a workgroup owns a row: joined into one launch they give the same bits, and near
// misses are refused with their rule.

#include "fuse/group_rows.h"

#include <gtest/gtest.h>

#include <bit>

#include "fuse/rows.h"
#include "ir/ops.h"
#include "testing/group_programs.h"
#include "testing/joined_steps.h"

namespace vyre::fuse::group_rows_tests {
namespace {

using testing::changed;
using testing::Join;
using testing::join_steps;
using testing::JoinedSteps;

struct GroupChain {
  const char* name;
  std::string text;
  std::size_t joins;
  std::vector<std::string> buffers;  // bound ones that are left, sorted
  std::vector<std::string> kept;     // local arrays that hold statistics
};

std::vector<GroupChain> softmaxes() {
  using namespace testing;
  const std::string twice = kGroupMax + kGroupSum;
  const std::string other_lanes =
      group_map("exponential",
                "read x: f32[rows * cols] read largest: f32[rows] write weights: f32[rows * cols]",
                "weights[r * cols + c] = exp(x[r * cols + c] - largest[r])", "threads");
  return {
      {"softmax of workgroups",
       twice + kGroupExponential + kGroupDivide + kSoftmax,
       3,
       {"out", "x"},
       {"kept_largest", "kept_total"}},
      {"its first two",
       twice + kGroupExponential + kGroupDivide + kSoftmax,
       1,
       {"weights", "x"},
       {"kept_largest"}},
      {"its first three",
       twice + kGroupExponential + kGroupDivide + kSoftmax,
       2,
       {"total", "weights", "x"},
       {"kept_largest"}},
      {"maps over rows and columns",
       twice + kExponential + kDivide + kSoftmax,
       3,
       {"out", "x"},
       {"kept_largest", "kept_total"}},
      {"maps over elements",
       twice + kFlatExponential + kFlatDivide + kSoftmaxFlat,
       3,
       {"out", "x"},
       {"kept_largest", "kept_total"}},
      {"workgroups of another size",
       twice + other_lanes + kDivide + kSoftmax,
       3,
       {"out", "x"},
       {"kept_largest", "kept_total"}},
      {"a row that is read by other lanes",
       kGroupExponential + kGroupSum +
           changed(kGroupDivide, "= weights[r * cols + c]",
                   "= weights[r * cols + (cols - 1u - c)]") +
           kShares,
       2,
       {"largest", "out", "weights", "x"},
       {"kept_total"}},
  };
}

std::vector<GroupChain> norms() {
  using namespace testing;
  const std::string on_axis_1 =
      changed(changed(kGroupSum, "grid [rows]", "grid [1u, rows]"), "group_id(0)", "group_id(1)");
  const std::string lanes_on_axis_2 =
      changed(changed(kGroupSum, "workgroup [lanes]", "workgroup [_, _, lanes]"), "local_id(0)",
              "local_id(2)");
  const auto rmsnorm = [&](const std::string& sum) {
    return kSquare + sum + kInverse + kScaleRows + kRmsnorm;
  };
  const std::vector<std::string> left{"gain", "out", "x"};
  return {
      {"rmsnorm", rmsnorm(kGroupSum), 3, left, {"kept_mean", "kept_factor"}},
      {"rows on axis 1", rmsnorm(on_axis_1), 3, left, {"kept_mean", "kept_factor"}},
      {"lanes on axis 2", rmsnorm(lanes_on_axis_2), 3, left, {"kept_mean", "kept_factor"}},
      {"layernorm",
       kGroupSum + kCenter + kGroupSquares + kNormalise + kLayernorm,
       3,
       left,
       {"kept_mean", "kept_variance"}},
      {"two statistics", kGroupMax + kGroupShift + kShifted, 1, {"total", "x"}, {"kept_largest"}},
      {"a statistic that is given back",
       kGroupMax + kGroupShift + changed(kShifted, "scratch largest", "write largest"),
       1,
       {"largest", "total", "x"},
       {}},
      {"rows that are also given back",
       kSquare + kGroupSum + kSquareSums,
       1,
       {"squares", "total", "x"},
       {}},
      {"fewer columns",
       kGroupMax + changed(kExponential, "if c < cols", "if c + 1u < cols") + kRowPair,
       1,
       {"weights", "x"},
       {"kept_largest"}},
      {"a statistic of two numbers",
       changed(changed(kGroupMax, "largest: f32[rows]", "largest: f32[rows * 2u]"),
               "largest[r] = part[0u]", "largest[r * 2u] = part[0u] largest[r * 2u + 1u] = most") +
           changed(changed(kExponential, "largest: f32[rows]", "largest: f32[rows * 2u]"),
                   "- largest[r]", "- largest[r * 2u + 1u]") +
           changed(kRowPair, "largest: f32[rows]", "largest: f32[rows * 2u]"),
       1,
       {"largest", "weights", "x"},
       {}},
  };
}

std::vector<std::string> names_of(const Stage& stage, bool bound) {
  std::vector<std::string> out;
  for (const ir::Buffer& b : stage.program.buffers) {
    if (ir::is_bound(b.access) == bound) out.push_back(b.name);
  }
  std::ranges::sort(out);
  return out;
}

void expect_same_bits_for_sizes(const JoinedSteps& steps) {
  std::uint64_t seed = 1;
  for (const std::uint32_t rows : {1U, 2U, 5U}) {
    for (const std::uint32_t cols : {1U, 3U, 4U, 17U}) {
      std::vector<Argument> arguments{{"rows", rows}, {"cols", cols}};
      for (const ir::Symbol& s : steps.original.symbols) {
        if (s.name == "epsilon")
          arguments.push_back({"epsilon", std::bit_cast<std::uint32_t>(0.5F)});
      }
      testing::expect_same(steps, arguments, seed++);
    }
  }
}

void expect_joined(const GroupChain& chain) {
  SCOPED_TRACE(chain.name);
  const auto steps = join_steps(chain.text, std::vector<Join>(chain.joins, join_rows));
  ASSERT_TRUE(steps) << steps.error().rule << ": " << steps.error().why;
  EXPECT_EQ(names_of(steps->stage, true), chain.buffers) << ir::print(steps->stage.program);
  const auto arrays = names_of(steps->stage, false);
  for (const std::string& name : chain.kept) {
    EXPECT_EQ(std::ranges::count(arrays, name), 1) << name << ir::print(steps->stage.program);
  }
  EXPECT_EQ(std::ranges::count_if(arrays, [](auto& a) { return a.starts_with("kept_"); }),
            std::ssize(chain.kept));
  expect_same_bits_for_sizes(*steps);
}

TEST(GroupRows, OfSoftmaxGiveTheSameBits) {
  for (const GroupChain& chain : softmaxes()) expect_joined(chain);
}

TEST(GroupRows, OfNormsGiveTheSameBits) {
  for (const GroupChain& chain : norms()) expect_joined(chain);
}

// Without a barrier of its own, a pair still needs one: other lanes have stored what is read.
TEST(GroupRows, PutABarrierBetweenTheHalves) {
  using namespace testing;
  const std::string turned = changed(kGroupExponential, "= exp(x[r * cols + c] - largest[r])",
                                     "= x[r * cols + (cols - 1u - c)]");
  const std::string again = changed(turned, "program exponential", "program again");
  const auto steps = join_steps(turned + again + kGroupTwice, {join_rows});
  ASSERT_TRUE(steps) << steps.error().rule << ": " << steps.error().why;
  const auto is_barrier = [](const ir::Stmt& s) { return s.kind == ir::StmtKind::barrier; };
  EXPECT_EQ(std::ranges::count_if(steps->stage.program.stmts, is_barrier), 1);
  expect_same_bits_for_sizes(*steps);
}

// Each lane loads what it has stored, so no barrier is needed.
TEST(GroupRows, ThatStayWithTheirLanesAreNotJoined) {
  const std::string own =
      "program own { shape n: u32 shape rows: u32 tunable lanes: u32 = 4u read x: f32[n] write t: "
      "f32[n] workgroup [lanes] grid [rows] let i: u32 = group_id(0) * lanes + local_id(0) t[i] = "
      "x[i] * 2f } ";
  const auto steps = join_steps(
      own + changed(own, "own", "again") +
          "sequence s { shape n: u32 shape rows: u32 read x: f32[n] scratch t: f32[n] write y: "
          "f32[n] run own(x, t; rows = rows) run again(t, y; rows = rows) }",
      {join_rows});
  ASSERT_FALSE(steps) << ir::print(steps->stage.program);
  EXPECT_EQ(steps.error().rule, "rows.none");
  EXPECT_EQ(steps.error().why, "\"own\" and \"again\" share no row; they can be merged");
}

struct GroupRefusal {
  const char* name;
  std::string text;
  const char* rule;
  const char* why;
};

void expect_refused(const GroupRefusal& c) {
  const auto steps = join_steps(c.text, {join_rows});
  ASSERT_FALSE(steps) << c.name << "\n" << ir::print(steps->stage.program);
  EXPECT_EQ(steps.error().rule, c.rule) << c.name << ": " << steps.error().why;
  EXPECT_NE(steps.error().why.find(c.why), std::string::npos)
      << c.name << ": " << steps.error().why;
}

TEST(GroupRows, ThatOtherWorkgroupsNeedAreRefused) {
  using namespace testing;
  const auto pair = [](const std::string& map, const char* from, const char* to) {
    return kGroupMax + changed(map, from, to) + kRowPair;
  };
  const GroupRefusal table[] = {
      {"another row's statistic, bodies", pair(kGroupExponential, "largest[r]", "largest[r + 1u]"),
       "rows.shared", "\"largest\" is written by one of"},
      {"another row's statistic, elements", pair(kExponential, "largest[r]", "largest[r + 1u]"),
       "rows.shared", "\"largest\" is written by one of"},
      {"one row's statistic for all", pair(kGroupExponential, "largest[r]", "largest[0u]"),
       "rows.shared", "elements that may belong to other workgroups"},
      {"columns", pair(kGroupExponential, "largest[r]", "largest[c]"), "rows.shared", "largest"},
      {"a row that data tell", pair(kGroupExponential, "largest[r]", "largest[u32(x[r])]"),
       "rows.shared", "largest"},
      {"the workgroup's size", pair(kGroupExponential, "largest[r]", "largest[r / lanes]"),
       "rows.shared", "largest"},
      {"a statistic that all workgroups store",
       changed(kGroupMax, "largest[r] =", "largest[0u] =") + kGroupExponential + kRowPair,
       "rows.shared", "largest"},
      {"siblings", kGroupMax + kGroupSum + kGroupSiblings, "rows.none",
       "\"row_max\" and \"row_sum\" share no row"},
      {"a map of the same input", kGroupMax + kSquare + kGroupBeside, "rows.none",
       "\"row_max\" and \"square\" share no row"},
  };
  for (const GroupRefusal& c : table) expect_refused(c);
}

TEST(GroupRows, AreRefusedWithTheirRule) {
  using namespace testing;
  const auto pair = [](const std::string& map, const char* from, const char* to) {
    return kGroupMax + changed(map, from, to) + kRowPair;
  };
  const auto shifted = [](const char* from, const char* to) {
    return kGroupMax + changed(kGroupShift, from, to) + kShifted;
  };
  const std::string ended =
      changed(kGroupMax, "if lane == 0u", "if lane > 0u { return } if lane == 0u");
  const GroupRefusal table[] = {
      {"larger workgroups", shifted("workgroup [lanes]", "workgroup [lanes * 2u]"), "rows.launch",
       "\"row_max\" and \"row_shift\" do not have the same workgroups and the same number of them"},
      {"lanes of their own",
       kGroupMax +
           changed(changed(changed(kGroupShift, "tunable lanes", "tunable threads"),
                           "workgroup [lanes]", "workgroup [threads]"),
                   "shape cols: u32", "shape cols: u32 tunable lanes: u32 = 4u in 1u, 2u, 4u, 8u") +
           kShifted,
       "rows.launch", "do not have the same workgroups"},
      {"more workgroups", shifted("grid [rows]", "grid [rows + 1u]"), "rows.launch",
       "do not have the same workgroups"},
      {"an early end before a body", ended + kGroupShift + kShifted, "rows.return",
       "an invocation of \"row_max\" may end early"},
      {"an early end before elements", ended + kExponential + kRowPair, "rows.return",
       "an invocation of \"row_max\" may end early"},
      {"an end in the middle of an element",
       pair(kExponential,
            "weights[r * cols + c] =", "if x[c] > 1f { return } weights[r * cols + c] ="),
       "rows.return", "an invocation of \"exponential\" may end early"},
      {"an array of the elements",
       pair(kExponential, "workgroup [block]", "private t: f32[2u] workgroup [block]"),
       "rows.array", "\"exponential\" keeps values in the array \"step1_t\""},
      {"a local id of the elements",
       pair(kExponential, "- largest[r]", "- f32(local_id(0)) - largest[r]"), "rows.frame",
       "\"exponential\" uses local_id(0), which only its own launch has"},
      {"fewer rows", pair(kExponential, "r < rows", "r + 1u < rows"), "rows.domain",
       "\"exponential\" does not run for the rows that the workgroups of \"row_max\" have, or for "
       "their elements"},
      {"two rows for each workgroup",
       changed(kGroupMax, "grid [rows]", "grid [(rows + 1u) / 2u]") + kExponential + kRowPair,
       "rows.barrier", "\"row_max\" has a barrier"},
      {"lanes on two axes",
       changed(kGroupMax, "workgroup [lanes]", "workgroup [lanes, 2u]") + kExponential + kRowPair,
       "rows.barrier", "\"row_max\" has a barrier"},
      {"a barrier under a condition on the statistic",
       shifted("part[lane] = most", "if largest[r] > 0f { barrier } part[lane] = most"),
       "rows.uniform",
       "not all invocations of a workgroup would reach a barrier of \"row_max\" and \"row_shift\" "
       "together"},
      {"zeros", kGroupMax + kZeroing + kZeroed, "rows.zeroed",
       "\"zeroing\" starts \"largest\" as zeros, which \"row_max\" uses"},
  };
  for (const GroupRefusal& c : table) expect_refused(c);
}

}  // namespace
}  // namespace vyre::fuse::group_rows_tests
