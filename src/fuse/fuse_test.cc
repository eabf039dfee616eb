#include "vyre/fuse.h"

#include <gtest/gtest.h>

#include "fuse/widener.h"
#include "vyre/call.h"

namespace vyre::fuse::fuse_tests {
namespace {

TEST(DescribePlan, SaysWhichStepsAreJoined) {
  struct Case {
    Config config;
    const char* words;
  };
  const Case table[] = {
      {{{"block", 64}}, ""},
      {{{"fuse_0", 0}, {"block", 64}}, "each step in its own kernel"},
      {{{"fuse_0", 1}}, "steps 1 to 2 in one kernel: inline"},
      {{{"fuse_0", 1}, {"fuse_1", 2}, {"fuse_2", 0}},
       "steps 1 to 3 in one kernel: inline, epilogue"},
      {{{"fuse_0", 3}, {"fuse_2", 4}},
       "steps 1 to 2 in one kernel: merge; steps 3 to 4 in one kernel: rows"},
      {{{"fuse_10", 1}, {"fuse_9_", 1}}, "steps 10 to 12 in one kernel: inline, inline"},
      {{{"fuse_x", 1}, {"fuse_1", 7}, {"fuse_", 1}, {"fuse_2", true}}, ""},
  };
  for (const auto& [config, words] : table) EXPECT_EQ(describe_plan(config), words);
}

// n steps that each add 1, and every run of two or three of them as one interval.
Widened chain_of(std::uint32_t steps) {
  const std::string one = "program one { read_write y: u32[1u] y[0u] = y[0u] + 1u }\n";
  std::string text = one + "sequence s { tunable size: u32 = 4u in 2u, 4u read_write y: u32[1u]\n";
  for (std::uint32_t k = 0; k < steps; ++k) text += "run one(y)\n";
  const auto def = ir::parse(text + "}");
  EXPECT_TRUE(def) << def.error().message;
  FoundIntervals found;
  for (std::uint32_t k = 0; k + 1 < steps; ++k) found.links.push_back({.first = k});
  for (std::uint32_t length = 2; length <= 3; ++length) {
    for (std::uint32_t first = 0; first + length <= steps; ++first) {
      found.intervals.push_back({first,
                                 first + length - 1,
                                 std::vector<Kind>(length - 1, Kind::merge),
                                 {*ir::parse_program(one), {0}}});
    }
  }
  auto out = widened_by(*def, std::move(found));
  EXPECT_TRUE(out) << out.error().message;
  return *std::move(out);
}

std::vector<std::string> words(const std::vector<Config>& plans) {
  std::vector<std::string> out;
  for (const Config& plan : plans) out.push_back(describe_plan(plan));
  return out;
}

TEST(SinglePlans, FuseOneIntervalEachTheShortOnesFirst) {
  const Widened w = chain_of(4);
  EXPECT_EQ(words(single_plans(w)),
            (std::vector<std::string>{
                "steps 1 to 2 in one kernel: merge", "steps 2 to 3 in one kernel: merge",
                "steps 3 to 4 in one kernel: merge", "steps 1 to 3 in one kernel: merge, merge",
                "steps 2 to 4 in one kernel: merge, merge"}));
  const auto space = space::Space::build(w.space);
  ASSERT_TRUE(space) << space.error().message;
  for (const Config& plan : single_plans(w))
    EXPECT_TRUE(space->contains(plan)) << vyre::to_string(plan);
}

// Time of the single plan, by its words.
std::vector<PlanTime> times(const Widened& w, const std::map<std::string, double>& known) {
  std::vector<PlanTime> out;
  for (const Config& plan : single_plans(w)) {
    const auto it = known.find(describe_plan(plan));
    out.push_back({plan, it == known.end() ? 10 : it->second});
  }
  return out;
}

TEST(BestPlans, AddUpWhatIntervalsSaveAlone) {
  const Widened w = chain_of(4);
  const auto singles = times(w, {{"steps 1 to 2 in one kernel: merge", 8},
                                 {"steps 2 to 3 in one kernel: merge", 5},
                                 {"steps 3 to 4 in one kernel: merge", 6},
                                 {"steps 1 to 3 in one kernel: merge, merge", 11},
                                 {"steps 2 to 4 in one kernel: merge, merge", 0}});
  EXPECT_EQ(words(best_plans(w, 10, singles)),
            (std::vector<std::string>{
                "steps 1 to 2 in one kernel: merge; steps 3 to 4 in one kernel: merge",
                "steps 2 to 3 in one kernel: merge", "steps 3 to 4 in one kernel: merge"}));
  EXPECT_EQ(best_plans(w, 10, singles, 1).size(), 1U);
  EXPECT_TRUE(best_plans(w, 1, singles).empty());
  EXPECT_TRUE(best_plans(w, 10, {}).empty());
}

// Work is counted and not timed, so the result is the same on every machine.
TEST(Widen, LargeProgramsEndWithAMessage) {
  std::string body;
  for (int k = 0; k < 100; ++k) body += "y[i] = y[i] * 3u + x[i]\n";
  std::string text =
      "program large { shape n: u32 read x: u32[n] read_write y: u32[n]\n"
      "let i: u32 = global_id(0) if i < n {\n" +
      body + "} }\nsequence s { shape n: u32 read x: u32[n] read_write y: u32[n]\n";
  for (int k = 0; k < 32; ++k) text += "run large(x, y)\n";
  const auto sequence = ir::Sequence::make(*ir::parse(text + "}"));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto w = widen(*sequence, {.most_nodes = 10'000});
  ASSERT_TRUE(w) << w.error().message;
  EXPECT_EQ(w->limits, (std::vector<std::string>{"joins have looked at 10000 nodes; ways to join "
                                                 "that would come behind are left out"}));
  EXPECT_EQ(w->links.size(), 31U);
  EXPECT_EQ(w->links.back().refused.front().second.rule, "limit.nodes");
}

// Indices that take long to prove something about. The limit holds for all proofs together, and
// what was found before it was met stays.
TEST(Widen, ProofsEndWithAMessage) {
  std::string text =
      "program plane { shape w: u32 shape h: u32 read x: u32[w * h] write y: u32[w * h]\n"
      "tunable rows: u32 = 2u workgroup [64u] grid [(w + 63u) / 64u, (h + rows - 1u) / rows]\n"
      "for k: u32 in 0u .. rows {\n"
      "let r: u32 = global_id(1) * rows + k let c: u32 = global_id(0)\n"
      "if r < h & c < w { y[r * w + c] = x[r * w + c] + 1u } } }\n"
      "sequence s { shape w: u32 shape h: u32 read a: u32[w * h] write b: u32[w * h]\n"
      "scratch t: u32[w * h] scratch u: u32[w * h]\n"
      "run plane(a, t; w = w, h = h) run plane(t, u; w = w, h = h) run plane(u, b; w = w, h = h) }";
  const auto sequence = ir::Sequence::make(*ir::parse(text));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto all = widen(*sequence);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_TRUE(all->limits.empty());
  EXPECT_FALSE(all->intervals.empty());
  const auto none = widen(*sequence, {.most_proof_steps = 1});
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(none->limits, (std::vector<std::string>{"proofs have taken 1 steps; ways to join that "
                                                    "would come behind are left out"}));
  EXPECT_TRUE(none->intervals.empty());
  EXPECT_EQ(none->links.back().refused.front().second.rule, "limit.proofs");
  EXPECT_EQ(none->links.back().refused.front().second.why, "proofs took too many steps before");
}

// What a step stores is what the step before it loads, round and round.
TEST(Widen, BuffersInACircleAreNoProblem) {
  std::string text =
      "program move { shape n: u32 read a: u32[n] write b: u32[n]\n"
      "let i: u32 = global_id(0) if i < n { b[i] = a[i] + 1u } }\n"
      "sequence s { shape n: u32 read x: u32[n] scratch t: u32[n] scratch u: u32[n]\n"
      "write done: u32[n]\nrun move(t, u) run move(u, t) run move(t, done)\n"
      "repeat 0 .. 3 until done limit 5 }";
  const auto sequence = ir::Sequence::make(*ir::parse(text));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto w = widen(*sequence);
  ASSERT_TRUE(w) << w.error().message;
  const auto space = space::Space::build(w->space);
  ASSERT_TRUE(space) << space.error().message;
  const auto dispatcher = make_dispatcher(open_reference());
  const std::vector<std::uint32_t> x(3);
  const std::vector<Input> inputs{as_input(x)};
  for (std::uint64_t k = 0; k < space->size(); ++k) {
    const Config config = space->config_at(k);
    const auto out = dispatcher->dispatch(w->sequence, {.inputs = inputs, .config = &config});
    ASSERT_TRUE(out) << out.error().message;
    EXPECT_EQ(values_of<std::uint32_t>(out->at(0)), (std::vector<std::uint32_t>{3, 3, 3}))
        << vyre::to_string(config);
  }
}

TEST(Widen, SequencesThatAreTooLongAreRefusedAtOnce) {
  std::string text =
      "program one { read_write y: u32[1u] y[0u] = y[0u] + 1u }\nsequence s {\n"
      "read_write y: u32[1u]\n";
  for (int k = 0; k < 1024; ++k) text += "run one(y)\n";
  const auto sequence = ir::Sequence::make(*ir::parse(text + "}"));
  ASSERT_TRUE(sequence) << sequence.error().message;
  const auto w = widen(*sequence);
  ASSERT_FALSE(w);
  EXPECT_EQ(w.error().message,
            "\"s\": it has 1024 steps, and fusion is planned for 32 at most; split it");
}

// Each step has two tunables of its own. Constraints over many links would tie them all together.
TEST(Widen, TheSpaceOfALongChainStaysSmall) {
  std::string text;
  std::string steps;
  std::string scratch;
  for (int k = 0; k < 14; ++k) {
    const std::string n = std::to_string(k);
    text += "program p" + n + " { shape n: u32 tunable a" + n + ": u32 = 1u in 1u, 2u tunable b" +
            n + ": u32 = 1u in 1u, 2u read x: u32[n] write y: u32[n] workgroup [64u * a" + n +
            "] grid [(n + 64u * a" + n + " * b" + n + " - 1u) / (64u * a" + n + " * b" + n +
            ")] for k: u32 in 0u .. b" + n + " { let i: u32 = global_id(0) * b" + n +
            " + k if i < n { y[i] = x[i] + " + n + "u } } }\n";
    if (k < 13) scratch += " scratch t" + n + ": u32[n]";
    steps += " run p" + n + "(" + (k == 0 ? "x" : "t" + std::to_string(k - 1)) + ", " +
             (k == 13 ? "y" : "t" + n) + ")";
  }
  text += "sequence s { shape n: u32 read x: u32[n] write y: u32[n]" + scratch + steps + " }";
  const auto def = ir::parse(text);
  ASSERT_TRUE(def) << def.error().message;
  const auto widened = widen(*ir::Sequence::make(*def));
  ASSERT_TRUE(widened) << widened.error().message;
  EXPECT_GT(widened->intervals.size(), 20U);
  const auto space = space::Space::build(widened->space, {.most_nodes = 50'000, .expression = {}});
  EXPECT_TRUE(space) << space.error().message;
}

}  // namespace
}  // namespace vyre::fuse::fuse_tests
