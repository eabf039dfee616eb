// What holds for a link whatever the kind: conditions, the repeat, ways that are left out.

#include <gtest/gtest.h>

#include <ranges>
#include <set>
#include <tuple>

#include "testing/chains.h"
#include "testing/row_programs.h"
#include "testing/soak.h"
#include "vyre/fuse.h"

namespace vyre::fuse::links_tests {
namespace {

const std::string kTwoMaps = R"(program twice {
  shape n: u32
  read x: u32[n]
  write t: u32[n]
  workgroup [64u]
  grid [(n + 63u) / 64u]
  let i: u32 = global_id(0)
  if i < n {
    t[i] = x[i] * 2u
  }
}
program more {
  shape n: u32
  read t: u32[n]
  write y: u32[n]
  workgroup [64u]
  grid [(n + 63u) / 64u]
  let i: u32 = global_id(0)
  if i < n {
    y[i] = t[i] + 1u
  }
}
sequence maps {
  shape n: u32
  tunable on: u32 = 1u in 0u, 1u
  read x: u32[n]
  scratch t: u32[n]
  write y: u32[n]
  run twice(x, t)
  run more(t, y)
}
)";

Widened widened(const std::string& text, const WidenOptions& options = {}) {
  const auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  const auto sequence = ir::Sequence::make(*def);
  EXPECT_TRUE(sequence) << sequence.error().message;
  auto out = widen(*sequence, options);
  EXPECT_TRUE(out) << out.error().message;
  return *std::move(out);
}

// The rules and reasons of the first link's refusals, each once.
std::set<std::pair<std::string, std::string>> refusals(const Widened& w) {
  std::set<std::pair<std::string, std::string>> out;
  for (const auto& [kind, refusal] : w.links[0].refused) out.emplace(refusal.rule, refusal.why);
  return out;
}

using Reasons = std::set<std::pair<std::string, std::string>>;

TEST(Links, AreJoinedInSeveralWays) {
  const Widened w = widened(kTwoMaps);
  EXPECT_EQ(w.links[0].kinds, (std::vector{Kind::inline_, Kind::epilogue, Kind::merge}));
}

TEST(Links, OfStepsWithConditionsStayApart) {
  for (const auto& [run, step] :
       {std::pair("run more(t, y)", "step 1 has a condition of its own"),
        std::pair("run twice(x, t)", "step 0 has a condition of its own")}) {
    const Widened w = widened(testing::changed(kTwoMaps, run, std::string(run) + " when on == 1u"));
    EXPECT_TRUE(w.links[0].kinds.empty());
    EXPECT_EQ(refusals(w), (Reasons{{"link.when", step}}));
  }
}

TEST(Links, AtTheEndsOfTheRepeatStayApart) {
  for (const char* range : {"repeat 0 .. 1", "repeat 1 .. 2"}) {
    const Widened w =
        widened(testing::changed(kTwoMaps, "run more(t, y)\n",
                                 "run more(t, y)\n" + std::string(range) + " until y limit 2\n"));
    EXPECT_TRUE(w.links[0].kinds.empty()) << range;
    EXPECT_EQ(refusals(w),
              (Reasons{{"link.repeat", "the repeat begins or ends between the two steps"}}))
        << range;
  }
}

TEST(Links, SayWhichWaysAreLeftOut) {
  WidenOptions options;
  options.most_variants = 1;
  const Widened w = widened(kTwoMaps, options);
  EXPECT_EQ(w.links[0].kinds.size(), 1U);
  EXPECT_TRUE(refusals(w).contains({"link.variants", "1 smaller programs do the same"}));
}

// Two ways with the same program would be measured twice.
TEST(Links, GiveEachProgramOnce) {
  const auto all = static_cast<std::uint32_t>(testing::chains().size());
  for (const testing::Chain& chain :
       testing::chains() | std::views::take(testing::cases(all, all, 3))) {
    if (chain.name == "harris" || chain.name == "unsharp") continue;  // they take seconds
    const auto w = widen(testing::chain_as_written(VYRE_SOURCE_DIR, chain));
    ASSERT_TRUE(w) << w.error().message;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen;
    const ir::SequenceDef& def = w->sequence.def();
    for (const Interval& interval : w->intervals) {
      ir::Program program = def.programs[def.steps[interval.step].program];
      program.name = "fused";
      EXPECT_TRUE(seen.emplace(interval.first, interval.last, ir::print(program)).second)
          << chain.name << "\n"
          << ir::print(program);
    }
  }
}

}  // namespace
}  // namespace vyre::fuse::links_tests
