// Random pairs of programs with nearly right indices: whenever a merge or a join of rows is
// accepted, the joined program gives the same bits.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "fuse/groups.h"
#include "fuse/merge.h"
#include "fuse/rows.h"
#include "testing/joined_steps.h"
#include "testing/soak.h"

namespace vyre::fuse::joins_soundness_tests {
namespace {

// Pairs of programs over a matrix of rows and columns: maps over elements, over rows and columns,
// or over rows, and rows of workgroups. Indices, guards and launches are mostly right.
class PairMaker {
 public:
  explicit PairMaker(std::uint64_t seed) : random_(seed) {}

  std::string sequence() {
    return fmt::format(
        "{}{}sequence s {{ shape rows: u32 shape cols: u32 read x: f32[rows * cols] read_write y: "
        "f32[rows * cols] read_write v: f32[rows] {} t: f32[rows * cols] {} m: f32[rows] "
        "run first(x, y, v, t, m; rows = rows, cols = cols) run second(x, y, v, t, m; rows = rows, "
        "cols = cols) }}",
        program("first", true), program("second", false), pick({"scratch", "write"}),
        pick({"scratch", "write"}));
  }

 private:
  std::string pick(std::vector<std::string> choices) { return choices[below(choices.size())]; }
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }
  bool rarely() { return below(8) == 0; }

  std::string program(const std::string& name, bool is_first) {
    const std::string access = is_first ? "write" : "read_write";
    return fmt::format(
        "program {0} {{ shape rows: u32 shape cols: u32 tunable b_{0}: u32 = 3u tunable k_{0}: u32 "
        "= "
        "2u tunable h_{0}: u32 = 2u tunable lanes: u32 = 2u read x: f32[rows * cols] read_write y: "
        "f32[rows * cols] "
        "read_write v: f32[rows] {1} t: f32[rows * cols] {1} m: f32[rows] {2} }} ",
        name, access, launch("b_" + name, "k_" + name, "h_" + name));
  }

  // Rows with all their elements, elements, rows and columns, or rows.
  std::string launch(const std::string& block, const std::string& items,
                     const std::string& height) {
    switch (below(6)) {
      case 4:
        return group_map(pick({"lanes", block}));
      case 5:
        return group_sum();
      case 0:
        return fmt::format(
            "workgroup [{0}] grid [(rows + {0} - 1u) / {0}] let r: u32 = global_id(0) if r {1} "
            "rows {{ "
            "{2} for c: u32 in {3} .. cols {{ {4} }} {5} }}",
            block, rarely() ? "<=" : "<", row_core(), rarely() ? "1u" : "0u",
            core("r * cols + c", "r"), row_core());
      case 1:
        return fmt::format(
            "workgroup [{0}] grid [(rows * cols + {0} * {1} - 1u) / ({0} * {1})] for k: u32 in 0u "
            ".. "
            "{1} {{ let i: u32 = global_id(0) * {1} + k if i < rows * cols {{ {2} }} }}",
            block, items, core("i", "i / cols"));
      case 2:
        return fmt::format(
            "workgroup [{0}, {1}] grid [(cols + {0} - 1u) / {0}, (rows + {1} - 1u) / {1}] let r: "
            "u32 = "
            "global_id(1) let c: u32 = global_id(0) if c < cols & r < rows {{ {2} }}",
            block, height, core("r * cols + c", "r"));
      default:
        return fmt::format(
            "workgroup [{0}] grid [(rows + {0} - 1u) / {0}] let r: u32 = global_id(0) if r >= rows "
            "{{ "
            "return }} {1}",
            block, row_core());
    }
  }

  // Workgroups race with each other unseen. So each element gets its value from itself there.
  std::string group_map(const std::string& lanes) {
    const std::string at = rarely() ? "r * cols + (cols - 1u - c)" : "r * cols + c";
    const std::string of = rarely() ? pick({"r + 1u", "0u", "r / 2u", "c"}) : "r";
    const bool to_t = below(2) == 0;
    return fmt::format(
        "workgroup [{0}] grid [rows] let r: u32 = group_id(0) for c: u32 in local_id(0) .. cols "
        "step {0} {{ {1}[r * cols + c] = {2}[{3}] * 2f - {4}[{5}] }}",
        lanes, to_t ? "t" : "y", to_t ? pick({"x", "y"}) : pick({"x", "t"}), at, pick({"m", "v"}),
        of);
  }

  std::string group_sum() {
    const std::string at = rarely() ? "r * cols + c + 1u" : "r * cols + c";
    return fmt::format(
        "local part: f32[lanes] workgroup [lanes] grid [rows] let r: u32 = group_id(0) let lane: "
        "u32 = local_id(0) var sum: f32 = {0} for c: u32 in lane .. cols step lanes {{ sum = sum + "
        "{1}[{2}] }} part[lane] = sum barrier if lane == 0u {{ {3}[{4}] = part[0u] + part[lanes - "
        "1u] }}",
        pick({"0f", "v[r]", "m[r]"}), pick({"x", "y", "t"}), at, pick({"m", "v"}),
        rarely() ? pick({"r + 1u", "0u"}) : "r");
  }

  // Work for one element.
  std::string core(const std::string& element, const std::string& row) {
    const std::string at = rarely() ? pick({element + " + 1u", "0u", element + " / 2u"}) : element;
    const std::string of = rarely() ? pick({row + " + 1u", "0u"}) : row;
    const std::string value = pick(
        {fmt::format("x[{}] * 2f", element), fmt::format("t[{}] + 1f", at),
         fmt::format("y[{}] - m[{}]", element, of), fmt::format("exp(y[{}]) / v[{}]", at, of)});
    return fmt::format("{}[{}] = {} ", pick({"t", "y"}), element, value);
  }

  // Work for one row.
  std::string row_core() {
    const std::string at = rarely() ? "r * cols + c{0} + 1u" : "r * cols + c{0}";
    const std::string sum = fmt::format("s{}", count_++);
    const std::string index = fmt::format(fmt::runtime(at), sum);
    return fmt::format(
        "var {0}: f32 = {1} for c{0}: u32 in 0u .. cols {{ {0} = {0} + {2}[{3}] }} {4}[r] = {0} ",
        sum, pick({"0f", "v[r]", "m[r]"}), pick({"x", "y", "t"}), index, pick({"m", "v"}));
  }

  std::mt19937_64 random_;
  std::uint32_t count_ = 0;
};

// Whether invocations of the original race with each other: then it has no defined result. In one
// workgroup all races are seen.
bool has_race(const testing::JoinedSteps& steps, std::span<const Argument> arguments) {
  Config one_group;
  one_group.set("lanes", std::int64_t{8});
  for (const char* name : {"first", "second"}) {
    one_group.set(std::string("b_") + name, std::int64_t{64});
    one_group.set(std::string("k_") + name, std::int64_t{1});
    one_group.set(std::string("h_") + name, std::int64_t{8});
  }
  const std::string found =
      testing::difference_of(steps.original, steps.original, arguments, one_group);
  return found.contains("data race");
}

TEST(JoinsSoundness, AcceptedPairsGiveTheSameBits) {
  const std::uint32_t count = testing::cases(300, 40'000, 60);
  std::uint32_t merged = 0;
  std::uint32_t rows = 0;
  std::uint32_t groups = 0;
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    const std::string text = PairMaker(seed).sequence();
    const auto def = ir::parse(text);
    ASSERT_TRUE(def) << def.error().message << "\n" << text;
    if (!ir::validate(*def).empty()) continue;
    for (const testing::Join join : {&join_merge, &join_rows}) {
      const auto steps = testing::join_steps(text, {join});
      if (!steps) continue;
      (join == &join_merge ? merged : rows) += 1;
      const bool is_group = join == &join_rows && is_cooperative(steps->stage.program);
      groups += is_group ? 1 : 0;
      for (const std::uint32_t size : {1U, 3U, 4U}) {
        const std::vector<Argument> arguments{{"rows", size}, {"cols", 1 + (seed + size) % 4}};
        if (!has_race(*steps, arguments)) testing::expect_same(*steps, arguments, seed);
      }
      ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << "\n" << text;
    }
  }
  EXPECT_GT(merged, count / 20);
  EXPECT_GT(rows, count / 20);
  EXPECT_GT(groups, count / 50);
}

}  // namespace
}  // namespace vyre::fuse::joins_soundness_tests
