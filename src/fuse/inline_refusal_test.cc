// Near misses: chains that are one change away from one that is inlined, with the rule that refuses
// each.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "fuse/inline.h"
#include "testing/joined_chain.h"

namespace vyre::fuse::inline_refusal_tests {
namespace {

const std::string kBase = R"(program first {
  shape n: u32
  tunable items: u32 = 2u
  read a: f32[n]
  write t: f32[n]
  // first declares
  workgroup [4u]
  grid [(n + 4u * items - 1u) / (4u * items)]
  // first begins
  for k: u32 in 0u .. items {
    let i: u32 = global_id(0) * items + k
    if i < n {
      // first stores
      t[i] = a[i] * 2f
    }
  }
}
program second {
  shape n: u32
  read t: f32[n]
  read_write y: f32[n]
  // second declares
  let j: u32 = global_id(0)
  if j < n {
    y[j] = t[j] + y[j]
  }
}
sequence s {
  shape n: u32
  read a: f32[n]
  scratch t: f32[n]
  read_write y: f32[n]
  // sequence declares
  run first(a, t)
  run second(t, y)
}
)";

using testing::Changes;

std::expected<Stage, Refusal> inlined_after(const Changes& changes) {
  return testing::join_chain(kBase, changes, join_inline).joined;
}

TEST(InlineRefusal, TheBaseIsInlined) {
  const auto joined = inlined_after({});
  EXPECT_TRUE(joined.has_value()) << joined.error().rule << ": " << joined.error().why;
}

TEST(InlineRefusal, OneChangeAwayFromALegalChain) {
  struct Case {
    Changes changes;
    Refusal expected;
  };
  const std::string covers = "it is not proved that \"first\" stores every element of \"t\"";
  const std::string own = "\"first\" loads \"t\", which it writes";
  const std::string visit =
      "the content of \"t\" is needed, but it is not proved that \"second\" visits each element "
      "once";
  const std::vector<Case> cases{
      {{{"y[j] = t[j]", "y[j] = 1f"}},
       {"inline.unread", "\"second\" loads nothing that \"first\" stores"}},
      {{{"read t: f32[n]\n  read_write y", "read_write t: f32[n]\n  read_write y"},
        {"y[j] = t[j]", "t[j] = 0f y[j] = t[j]"}},
       {"inline.overwritten", "\"second\" writes \"t\", which the step before computes"}},
      {{{"run first(a, t)", "run first(y, t)"}},
       {"inline.input", "\"second\" writes \"y\", which the step before reads"}},
      {{{"a[i] * 2f", "a[i] * t[i]"}}, {"inline.own", own}},
      {{{"write t", "read_write t"}, {"a[i] * 2f", "a[i] * t[i]"}}, {"inline.own", own}},
      {{{"// first declares", "private p: f32[2u]"}},
       {"inline.plain", "\"first\" has a local or private array"}},
      {{{"// first declares", "local p: f32[2u]"}},
       {"inline.plain", "\"first\" has a local or private array"}},
      {{{"// first begins", "barrier"}}, {"inline.plain", "\"first\" has a barrier"}},
      {{{"// first begins", "if global_id(0) * items >= n { return }"}},
       {"inline.plain", "\"first\" has a return"}},
      {{{"// first declares", "write count: u32[1u]"},
        {"// first stores", "atomic_add(count, 0u, 1u)"},
        {"// sequence declares", "scratch count: u32[1u]"},
        {"run first(a, t)", "run first(a, t, count)"}},
       {"inline.plain", "\"first\" uses atomics"}},
      {{{"for k: u32 in 0u .. items {", "var k: u32 = 0u while k < items limit 100u {"},
        {"if i < n {", "k = k + 1u if i < n {"}},
       {"inline.plain", "\"first\" stores inside a while"}},
      {{{"// first stores", "t[i] = 0f"}},
       {"inline.once", "\"first\" stores \"t\" at 2 places, not at one"}},
      {{{"t[i] = a[i] * 2f", ""}},
       {"inline.once", "\"first\" stores \"t\" at 0 places, not at one"}},
      {{{"if i < n {", "if i + 1u < n {"}}, {"inline.covers", covers}},
      {{{"if i < n {", "if i < n & a[i] < 1f {"}}, {"inline.covers", covers}},
      {{{"if i < n {", "if i < n & k < 7u {"}}, {"inline.covers", covers}},
      {{{"in 0u .. items", "in 1u .. items"}}, {"inline.covers", covers}},
      {{{"grid [(n + 4u * items - 1u)", "grid [(n + 4u * items - 2u)"}}, {"inline.covers", covers}},
      {{{"t[i] = a", "t[i / 2u] = a"}}, {"inline.covers", covers}},
      {{{"// first begins", "var sum: f32 = 0f"},
        {"t[i] = a[i] * 2f", "sum = sum + a[i] t[i] = sum"}},
       {"inline.carried", "\"first\" computes \"t\" from values of earlier turns of a loop"}},
      {{{"a[i] * 2f", "a[i] * f32(local_id(0))"}},
       {"inline.index",
        "an element of \"t\" depends on local_id(0) of \"first\", which does not follow from its "
        "index"}},
      {{{"grid [(n + 4u * items - 1u) / (4u * items)]",
         "grid [(n + 4u * items - 1u) / (4u * items), 2u]"},
        {"a[i] * 2f", "a[i] * f32(global_id(1))"}},
       {"inline.index",
        "an element of \"t\" depends on global_id(1) of \"first\", which does not follow from its "
        "index"}},
      {{{"if j < n {", "var w: f32 = 0f while t[j] + w < 3f limit 4u { w = w + 1f } if j < n {"}},
       {"inline.condition", "\"second\" loads what \"first\" stores in the condition of a while"}},
      {{{"y[j] = t[j]", "y[j] = t.x4[j].0"}},
       {"inline.width", "\"second\" loads 4 elements of \"t\" at once, \"first\" stores 1"}},
      {{{"y[j] = t[j]", "var s: f32 = 0f for q: u32 in 0u .. 17u { s = s + t[j ^ q] } y[j] = s"}},
       {"inline.recompute",
        "\"second\" would compute an element of \"t\" 17 times, at most 16 are allowed"}},
      {{{"y[j] = t[j]", "var s: f32 = 0f for q: u32 in 0u .. n { s = s + t[q] } y[j] = s"}},
       {"inline.recompute",
        "\"second\" would compute an element of \"t\" an unknown number of times, at most 16 are "
        "allowed"}},
      {{{"read_write y: f32[n]\n  // second", "read_write y: f32[n * 64u]\n  // second"},
        {"read_write y: f32[n]\n  // seq", "read_write y: f32[n * 64u]\n  // seq"},
        {"if j < n {", "if j < n * 64u {"},
        {"y[j] = t[j]", "y[j] = t[j / 64u]"}},
       {"inline.recompute",
        "\"second\" would compute an element of \"t\" an unknown number of times, at most 16 are "
        "allowed"}},
      {{{"y[j] = t[j] + y[j]", "for q: u32 in 0u .. n { y[j] = t[j ^ q] }"}},
       {"inline.recompute",
        "\"second\" would compute an element of \"t\" an unknown number of times, at most 16 are "
        "allowed"}},
      {{{"scratch t", "write t"}, {"y[j] = t[j]", "y[j] = t[j / 2u]"}}, {"inline.visit", visit}},
      {{{"scratch t", "write t"}, {"y[j] = t[j]", "y[j] = select(j > 1u, t[j], 0f)"}},
       {"inline.visit", visit}},
      {{{"scratch t", "write t"}, {"if j < n {", "if j + 1u < n {"}}, {"inline.visit", visit}},
      {{{"scratch t", "write t"},
        {"y[j] = t[j]", "var s: f32 = 0f for q: u32 in 0u .. 2u { s = s + t[j] } y[j] = s"}},
       {"inline.visit", visit}},
  };
  for (const auto& [changes, expected] : cases) {
    const auto joined = inlined_after(changes);
    ASSERT_FALSE(joined.has_value()) << expected.rule << " " << changes[0].second << "\n"
                                     << ir::print(joined->program);
    EXPECT_EQ(joined.error().rule, expected.rule) << joined.error().why << changes[0].second;
    EXPECT_EQ(joined.error().why, expected.why) << changes[0].second;
  }
}

// Both buffers are covered, but what is loaded visits the elements of only one in order.
TEST(InlineRefusal, AnOutputAtAnotherIndexIsNotVisited) {
  const auto chain = testing::join_chain(R"(
program first { shape n: u32 read a: f32[n * n] write t: f32[n * n] write u: f32[n * n]
  workgroup [4u, 4u] grid [(n + 3u) / 4u, (n + 3u) / 4u]
  let x: u32 = global_id(0) let y: u32 = global_id(1)
  if x < n & y < n { t[y * n + x] = a[y * n + x] u[x * n + y] = 2f * a[y * n + x] } }
program second { shape n: u32 read t: f32[n] write z: f32[n]
  let j: u32 = global_id(0)
  if j < n { z[j] = t[j] } }
sequence s { shape n: u32 read a: f32[n * n] scratch t: f32[n * n] write u: f32[n * n]
  write z: f32[n * n] run first(a, t, u; n = n) run second(t, z) }
)",
                                         join_inline);
  ASSERT_FALSE(chain.joined.has_value()) << testing::text_of(chain);
  EXPECT_EQ(chain.joined.error().rule, "inline.visit") << chain.joined.error().why;
}

// On the legal side of each limit.
TEST(InlineRefusal, NearMissesThatAreLegal) {
  const std::vector<Changes> cases{
      {{"y[j] = t[j]", "var s: f32 = 0f for q: u32 in 0u .. 16u { s = s + t[j ^ q] } y[j] = s"}},
      {{"scratch t", "write t"}},
      {{"a[i] * 2f", "a[i] * f32(k)"}},
      {{"// first begins", "var sum: f32 = 0f"}, {"a[i] * 2f", "a[i] * sum"}},
      {{"// first stores", "var sum: f32 = 0f sum = sum + a[i]"}, {"a[i] * 2f", "a[i] * sum"}},
      {{"write t", "read_write t"}},
      {{"grid [(n + 4u * items - 1u) / (4u * items)]",
        "grid [(n + 4u * items - 1u) / (4u * items), 2u]"}},
  };
  for (const Changes& changes : cases) {
    const auto joined = inlined_after(changes);
    EXPECT_TRUE(joined.has_value())
        << changes[0].second << joined.error().rule << ": " << joined.error().why;
  }
}

std::string sum_of(const std::string& term, std::size_t count) {
  std::string out = term;
  for (std::size_t k = 1; k < count; ++k) out += " + " + term;
  return out;
}

TEST(InlineRefusal, TooManyNodes) {
  const std::string wide = "(" + sum_of("a[i]", 10) + ") * ";
  const std::string square = wide + wide + wide + wide + wide + wide + wide + wide + wide + "2f";
  std::string loads;
  for (std::size_t k = 0; k < 15; ++k) loads += "t[j ^ " + std::to_string(k) + "u] + ";
  const auto joined =
      inlined_after({{"a[i] * 2f", square}, {"y[j] = t[j]", "y[j] = " + loads + "t[j]"}});
  ASSERT_FALSE(joined.has_value());
  EXPECT_EQ(joined.error().rule, "inline.nodes") << joined.error().why;
  EXPECT_NE(joined.error().why.find("expressions and statements, by more than 4096"),
            std::string::npos);
}

TEST(InlineRefusal, TooDeep) {
  const auto joined = inlined_after(
      {{"a[i] * 2f", sum_of("a[i]", 70)}, {"y[j] = t[j]", "y[j] = t[j] + " + sum_of("1f", 70)}});
  ASSERT_FALSE(joined.has_value()) << ir::print(joined->program);
  EXPECT_EQ(joined.error().rule, "too-large") << joined.error().why;
}

}  // namespace
}  // namespace vyre::fuse::inline_refusal_tests
