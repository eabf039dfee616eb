// Consumers that work on strips of columns, with their sums in an array of their own. The last
// strip has a loop of its own, so a matrix is loaded at two places of which one is reached.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuse/inline.h"
#include "testing/joined_chain.h"

namespace vyre::fuse::inline_strips_tests {
namespace {

using testing::Changes;
using testing::expect_same_bits;
using testing::JoinedChain;
using testing::text_of;

const std::string kStrips = R"(program outer {
  shape n: u32
  read a: f32[n * n]
  read u: f32[n]
  read v: f32[n]
  write b: f32[n * n]
  workgroup [4u]
  grid [(n + 3u) / 4u, n]
  let r: u32 = global_id(1)
  let c: u32 = global_id(0)
  if c < n & r < n {
    b[r * n + c] = a[r * n + c] + u[r] * v[c]
  }
}
program columns {
  shape n: u32
  tunable block: u32 = 2u
  tunable strip: u32 = 3u in 1u, 3u, 8u
  read b: f32[n * n]
  read y: f32[n]
  write x: f32[n]
  private sums: f32[strip]
  workgroup [block]
  grid [(n + block * strip - 1u) / (block * strip)]
  let first: u32 = min(global_id(0) * strip, n)
  if n - first >= strip {
    for r: u32 in 0u .. n {
      for k: u32 in 0u .. strip unroll strip {
        sums[k] = sums[k] + b[r * n + first + k] * y[r]
      }
    }
  } else {
    for r: u32 in 0u .. n {
      for k: u32 in 0u .. n - first {
        sums[k] = sums[k] + b[r * n + first + k] * y[r]
      }
    }
  }
  for k: u32 in 0u .. strip {
    let c: u32 = global_id(0) * strip + k
    if c < n {
      x[c] = sums[k]
    }
  }
}
sequence s {
  shape n: u32
  read a: f32[n * n]
  read u: f32[n]
  read v: f32[n]
  read y: f32[n]
  write b: f32[n * n]
  write x: f32[n]
  run outer(a, u, v, b)
  run columns(b, y, x)
}
)";

const std::vector<std::vector<Argument>> kSizes{
    {{"n", 1}}, {{"n", 3}}, {{"n", 6}}, {{"n", 8}}, {{"n", 13}}};
const std::vector<Config> kConfigs{{},
                                   {{"strip", std::int64_t{1}}, {"block", std::int64_t{4}}},
                                   {{"strip", std::int64_t{8}}, {"block", std::int64_t{1}}}};

JoinedChain joined_after(const Changes& changes) {
  return testing::join_chain(kStrips, changes, join_inline);
}

TEST(InlineStrips, TheMatrixIsStoredInBothBranches) {
  const JoinedChain chain = joined_after({});
  const std::string text = text_of(chain);
  const std::size_t first = text.find("b[step1_r * n + step1_first + step1_k] = b_value");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_NE(text.find("b[step1_r_2 * n + step1_first + step1_k_2] = b_value_2", first),
            std::string::npos)
      << text;
  for (const char* unwanted : {"/ n", "%", "select"}) {
    EXPECT_EQ(text.find(unwanted), std::string::npos) << unwanted << text;
  }
  expect_same_bits(chain, kSizes, kConfigs);
}

TEST(InlineStrips, OneChangeThatStaysLegal) {
  const std::string loop = "for k: u32 in 0u .. n - first {";
  const std::vector<Changes> cases{
      {{"n - first >= strip", "n - first > strip"}},
      {{"n - first >= strip", "first + strip <= n"}},
      // The matrix is not needed, so nothing has to be stored.
      {{"write b: f32[n * n]\n  write x: f32[n]\n  run",
        "scratch b: f32[n * n]\n  write x: f32[n]\n  run"}},
      // Another load of the matrix computes its element again.
      {{"x[c] = sums[k]", "x[c] = sums[k] + b[c]"}},
  };
  for (const Changes& changes : cases) {
    expect_same_bits(joined_after(changes), kSizes, kConfigs);
  }
}

// One place, with an end that is the smaller of two.
TEST(InlineStrips, TheEndOfOneLoopMayBeAMin) {
  const std::size_t begin = kStrips.find("  if n - first >= strip");
  const std::size_t end = kStrips.find("  for k: u32 in 0u .. strip {");
  std::string text = kStrips;
  text.replace(begin, end - begin, R"(
  for r: u32 in 0u .. n {
    for k: u32 in 0u .. min(strip, n - first) {
      sums[k] = sums[k] + b[r * n + first + k] * y[r]
    }
  }
)");
  const JoinedChain chain = testing::join_chain(text, join_inline);
  EXPECT_NE(text_of(chain).find("b[step1_r * n + step1_first + step1_k] = b_value"),
            std::string::npos)
      << text_of(chain);
  expect_same_bits(chain, kSizes, kConfigs);
}

TEST(InlineStrips, OneChangeAwayFromALegalChain) {
  const std::string load = "b[r * n + first + k] * y[r]\n      }\n    }\n  } else";
  const std::string visit =
      "the content of \"b\" is needed, but it is not proved that \"columns\" visits each element "
      "once";
  const std::vector<Changes> cases{
      // The branches leave out or repeat columns.
      {{".. strip unroll strip {", ".. strip - 1u {"}},
      {{".. n - first {", ".. n - first - 1u {"}},
      {{".. n - first {", ".. strip {"}},
      {{".. n - first {", ".. n {"}},
      {{"n - first >= strip", "n - first >= 1u"}},
      {{"n - first >= strip", "first > n"}},
      {{"for r: u32 in 0u .. n {", "for r: u32 in 1u .. n {"}},
      // Nothing says which of the two is reached.
      {{"n - first >= strip", "y[first] < 1f"}},
      {{"} else {", "} if n - first < strip + 1u {"}},
      // The two places do not load the same.
      {{load, "b[r * n + first + k + 1u] * y[r]\n      }\n    }\n  } else"}},
      {{load, "select(k > 0u, b[r * n + first + k], 0f)\n      }\n    }\n  } else"}},
      // Strips overlap, or do not begin where they should.
      {{"min(global_id(0) * strip, n)", "min(global_id(0), n)"}},
      {{"min(global_id(0) * strip, n)", "min(global_id(0) * strip, n - 1u)"}},
      {{"grid [(n + block * strip - 1u)", "grid [(n + block * strip - 2u)"}},
      {{"let first", "if y[0u] < 1f { return } let first"}},
  };
  for (const Changes& changes : cases) {
    const JoinedChain chain = joined_after(changes);
    ASSERT_FALSE(chain.joined.has_value()) << changes[0].second << text_of(chain);
    const Refusal& refusal = chain.joined.error();
    const bool is_counted = refusal.rule == "inline.recompute";
    EXPECT_TRUE(is_counted || refusal.rule == "inline.visit") << text_of(chain);
    EXPECT_EQ(is_counted ? visit : refusal.why, visit) << changes[0].second;
  }
}

// A loop of so many turns in each branch.
std::expected<Stage, Refusal> with_turns(std::uint32_t yes, std::uint32_t no) {
  return testing::join_chain(fmt::format(R"(
program first {{ shape n: u32 read a: f32[n] write t: f32[n]
  let i: u32 = global_id(0)
  if i < n {{ t[i] = a[i] * 2f }} }}
program second {{ shape n: u32 read t: f32[n] write y: f32[n]
  let j: u32 = global_id(0)
  if j < n {{
    var s: f32 = 0f
    if j > 3u {{ for q: u32 in 0u .. {}u {{ s = s + t[j ^ q] }} }}
    else {{ for q: u32 in 0u .. {}u {{ s = s + t[j ^ q] }} }}
    y[j] = s
  }} }}
sequence s {{ shape n: u32 read a: f32[n] scratch t: f32[n] write y: f32[n]
  run first(a, t) run second(t, y) }}
)",
                                         yes, no),
                             join_inline)
      .joined;
}

TEST(InlineStrips, BranchesThatExcludeEachOtherCountOnce) {
  EXPECT_TRUE(with_turns(16, 16).has_value());
  for (const auto& [yes, no] : {std::pair(17U, 2U), std::pair(2U, 17U)}) {
    const auto joined = with_turns(yes, no);
    ASSERT_FALSE(joined.has_value());
    EXPECT_EQ(joined.error().why,
              "\"second\" would compute an element of \"t\" 17 times, at most 16 are allowed");
  }
}

}  // namespace
}  // namespace vyre::fuse::inline_strips_tests
