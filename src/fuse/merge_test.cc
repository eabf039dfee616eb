// Siblings and chains in place: merged into one launch they give the same bits, and what cannot be
// merged is refused with its rule.

#include "fuse/merge.h"

#include <gtest/gtest.h>

#include <bit>

#include "testing/joined_steps.h"
#include "testing/row_programs.h"

namespace vyre::fuse::merge_tests {
namespace {

using testing::changed;
using testing::expect_same;
using testing::flat_program;
using testing::Join;
using testing::join_steps;
using testing::kTunables;

const std::string kSaxpy =
    flat_program("saxpy", "scalar a: f32 " + kTunables + "read x: f32[n] read_write y: f32[n]",
                 "y[i] = a * x[i] + y[i]");
const std::string kOneEach = R"(program one_each {
  shape n: u32
  read x: f32[n]
  read_write y: f32[n]
  let i: u32 = global_id(0)
  if i >= n {
    return
  }
  y[i] = y[i] * x[i]
}
)";
const std::string kStrided = R"(program strided {
  shape n: u32
  tunable groups_of: u32 = 3u
  read x: f32[n]
  read_write y: f32[n]
  workgroup [4u]
  grid [groups_of]
  for i: u32 in global_id(0) .. n step global_size(0) {
    if y[i] > 0f {
      y[i] = y[i] - x[i]
    } else {
      y[i] = x[i]
    }
  }
}
)";

std::string in_place(const std::string& first, const std::string& second) {
  return "sequence s { shape n: u32 scalar a: f32 scalar b: f32 read x: f32[n] read w: f32[n] "
         "read_write y: f32[n] run " +
         first + " run " + second + " }";
}

struct MergeCase {
  const char* name;
  std::string text;
  std::size_t joins;
  std::vector<const char*> left_out;  // buffers that are gone
};

TEST(Merge, GivesTheSameBits) {
  using namespace testing;
  const std::string four =
      "sequence s { shape n: u32 scalar a: f32 scalar b: f32 read x: f32[n] read w: f32[n] "
      "read_write y: f32[n] run saxpy(x, y; a = a) run saxpy(w, y; a = b) run saxpy(x, y; a = b) "
      "run "
      "saxpy(w, y; a = a) }";
  const std::string siblings =
      "sequence s { shape rows: u32 shape cols: u32 read x: f32[rows * cols] read w: f32[rows * "
      "cols] "
      "write largest: f32[rows] write total: f32[rows] run row_max(x, largest; rows = rows, cols = "
      "cols) run row_sum(w, total; rows = rows, cols = cols) }";
  const std::string maps =
      "sequence s { shape rows: u32 shape cols: u32 read x: f32[rows * cols] read mean: f32[rows] "
      "scratch t: f32[rows * cols] write out: f32[rows * cols] run center(x, mean, t; rows = rows, "
      "cols = cols) run divide(t, mean, out; rows = rows, cols = cols) }";
  const MergeCase table[] = {
      {"four in place", kSaxpy + four, 3, {}},
      {"another launch",
       kSaxpy + kOneEach + in_place("saxpy(x, y; a = a)", "one_each(w, y)"),
       1,
       {}},
      {"an early end first",
       kSaxpy + kOneEach + in_place("one_each(w, y)", "saxpy(x, y; a = a)"),
       1,
       {}},
      {"the grid's stride",
       kStrided + kOneEach + in_place("strided(w, y)", "one_each(x, y)"),
       1,
       {}},
      {"into the grid's stride",
       kSaxpy + kStrided + in_place("saxpy(w, y; a = b)", "strided(x, y)"),
       1,
       {}},
      {"siblings", kRowMax + kRowSum + siblings, 1, {}},
      {"two axes", kCenter + kDivide + maps, 1, {"t"}},
      {"a map of a map",
       kSquare + changed(kSquare, "program square", "program square_again") + kTwoMaps,
       1,
       {"squares"}},
  };
  for (const MergeCase& c : table) {
    SCOPED_TRACE(c.name);
    const auto steps = join_steps(c.text, std::vector<Join>(c.joins, join_merge));
    ASSERT_TRUE(steps) << steps.error().rule << ": " << steps.error().why;
    for (const char* name : c.left_out) {
      EXPECT_EQ(std::ranges::count(steps->stage.program.buffers, name, &ir::Buffer::name), 0)
          << ir::print(steps->stage.program);
    }
    std::uint64_t seed = 1;
    for (const std::uint32_t size : {1U, 2U, 7U, 64U, 131U}) {
      std::vector<Argument> arguments;
      for (const ir::Symbol& s : steps->original.symbols) {
        const auto factor = std::bit_cast<std::uint32_t>(0.5F + static_cast<float>(seed));
        if (s.kind == ir::SymbolKind::shape)
          arguments.push_back({s.name, s.name == "cols" ? 5U : size});
        if (s.kind == ir::SymbolKind::scalar) arguments.push_back({s.name, factor});
      }
      expect_same(*steps, arguments, seed++);
    }
  }
}

// Programs with arrays and barriers, whose frames cannot be left: one body follows the other.
const std::string kSwapping = R"(program NAME {
  shape n: u32
  tunable block: u32 = 4u
  read x: f32[n]
  read_write y: f32[n]
  local t: f32[block]
  workgroup [block]
  grid [(n + block - 1u) / block]
  let i: u32 = global_id(0)
  t[local_id(0)] = x[i]
  barrier
  y[i] = y[i] + t[block - 1u - local_id(0)]
}
)";

TEST(Merge, PutsBodiesWithTheSameLaunchTogether) {
  const std::string first = changed(kSwapping, "NAME", "swap");
  const std::string second = changed(changed(kSwapping, "NAME", "swap_more"), "y[i] +", "y[i] *");
  const std::string chain = in_place("swap(x, y)", "swap_more(w, y)");
  const auto steps = join_steps(first + second + chain, {join_merge});
  ASSERT_TRUE(steps) << steps.error().rule << ": " << steps.error().why;
  for (const std::uint32_t n : {1U, 4U, 9U}) expect_same(*steps, {{"n", n}, {"a", 0}, {"b", 0}}, n);

  const auto refusal = [&](const std::string& producer, const std::string& consumer) {
    const auto joined = join_steps(producer + consumer + chain, {join_merge});
    return joined ? std::string("joined") : joined.error().rule;
  };
  const std::string ended = changed(first, "y[i] = y[i]", "if i >= n { return } y[i] = y[i]");
  EXPECT_EQ(refusal(ended, second), "merge.return");
  EXPECT_EQ(refusal(first, changed(second, "= y[i] *", "= y[i + 1u] *")), "merge.shared");
  const std::string other = changed(second, "grid [(n + block - 1u) / block]", "grid [n]");
  EXPECT_EQ(refusal(first, other), "merge.barrier") << "not the same launch";
}

struct MergeRefusal {
  const char* name;
  std::string text;
  const char* rule;
  const char* why;
};

TEST(Merge, IsRefusedWithItsRule) {
  using namespace testing;
  const std::string chain = in_place("saxpy(x, y; a = a)", "one_each(w, y)");
  const std::string reading =
      "program next { shape n: u32 read y: f32[n] write z: f32[n] let i: u32 = global_id(0) if i < "
      "n { "
      "z[i] = y[INDEX] } } ";
  const std::string read =
      "sequence s { shape n: u32 scalar a: f32 read x: f32[n] read_write y: f32[n] write z: f32[n] "
      "run "
      "saxpy(x, y; a = a) run next(y, z) }";
  const MergeRefusal table[] = {
      {"the next element", kSaxpy + changed(reading, "INDEX", "i + 1u") + read, "merge.shared",
       "\"y\" is written by one of \"saxpy\" and \"next\" and touched by the other one"},
      {"the last element", kSaxpy + changed(reading, "INDEX", "n - 1u - i") + read, "merge.shared",
       "\"y\" is written"},
      {"half of them", kSaxpy + changed(reading, "INDEX", "i / 2u") + read, "merge.shared",
       "\"y\" is written"},
      {"one element", kSaxpy + changed(reading, "INDEX", "0u") + read, "merge.shared",
       "\"y\" is written"},
      {"an element that data tell", kSaxpy + changed(reading, "INDEX", "u32(y[i])") + read,
       "merge.shared", "\"y\" is written"},
      {"fewer elements", kSaxpy + changed(kOneEach, "i >= n", "i + 1u >= n") + chain,
       "merge.domain", "\"saxpy\" and \"one_each\" do not run for the same numbers"},
      {"an end on data", kSaxpy + changed(kOneEach, "i >= n", "x[i] > 0f") + chain, "merge.domain",
       "do not run for the same numbers"},
      {"an early end",
       kSaxpy +
           changed(kOneEach, "y[i] = y[i] * x[i]",
                   "if x[i] > 1f { if x[i] > 2f { "
                   "return } } y[i] = 1f") +
           chain,
       "merge.return", "an invocation of \"one_each\" may end early"},
      {"a barrier", kSaxpy + changed(kOneEach, "let i", "barrier let i") + chain, "merge.barrier",
       "\"one_each\" has a barrier"},
      {"a local array", kSaxpy + changed(kOneEach, "let i", "local t: f32[4u] let i") + chain,
       "merge.array", "\"one_each\" keeps values in the array \"step1_t\""},
      {"zeros", kSaxpy + changed(kOneEach, "read_write y", "write y") + chain, "merge.zeroed",
       "\"one_each\" starts \"y\" as zeros, which \"saxpy\" uses"},
      {"a local id", kSaxpy + changed(kOneEach, "* x[i]", "* f32(local_id(0))") + chain,
       "merge.frame", "\"one_each\" uses local_id(0), which only its own launch has"},
      {"rows",
       kRowMax + row_program("row_shift", "total", "0f", "most + x[r * cols + c]") +
           "sequence s { shape rows: u32 shape cols: u32 read x: f32[rows * cols] scratch t: "
           "f32[rows] write total: f32[rows] run row_max(x, t; rows = rows, cols = cols) run "
           "row_shift(t, total; rows = rows / cols, cols = cols) }",
       "merge.domain", "do not run for the same numbers"},
  };
  for (const MergeRefusal& c : table) {
    const auto steps = join_steps(c.text, {join_merge});
    ASSERT_FALSE(steps) << c.name << "\n" << ir::print(steps->stage.program);
    EXPECT_EQ(steps.error().rule, c.rule) << c.name << ": " << steps.error().why;
    EXPECT_NE(steps.error().why.find(c.why), std::string::npos)
        << c.name << ": " << steps.error().why;
  }
}

}  // namespace
}  // namespace vyre::fuse::merge_tests
