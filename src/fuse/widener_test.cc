// The widened sequence around fused programs that are written by hand.

#include "fuse/widener.h"

#include <gtest/gtest.h>

#include "ir/rewrite/sequence_of.h"
#include "vyre/call.h"
#include "vyre/space.h"

namespace vyre::fuse::widener_tests {
namespace {

// y = ((x + 1) * block) * block, in three steps.
const std::string kSteps = R"(
program plus { shape n: u32 read a: u32[n] write b: u32[n]
  let i: u32 = global_id(0) if i < n { b[i] = a[i] + 1u } }
program times { shape n: u32 tunable block: u32 = 2u in 2u, 3u
  read a: u32[n] write b: u32[n]
  let i: u32 = global_id(0) if i < n { b[i] = a[i] * block } }
)";

std::string sequence_text(const std::string& steps) {
  return kSteps + "sequence s { shape n: u32 read x: u32[n] scratch t: u32[n] scratch u: u32[n]\n" +
         "write y: u32[n] scratch done: u32[1u]\n" + steps + " }";
}

const std::string kThree = "run plus(x, t) run times(t, u) run times(u, y)";

ir::SequenceDef parsed(const std::string& text) {
  auto def = ir::parse(text);
  EXPECT_TRUE(def) << def.error().message;
  return def ? *std::move(def) : ir::SequenceDef{};
}

Stage stage_of(const std::string& text, std::vector<std::uint32_t> buffers) {
  auto program = ir::parse_program(text);
  EXPECT_TRUE(program) << program.error().message;
  return {*std::move(program), std::move(buffers)};
}

// The first two steps, the last two, all three in one way, and the first two in another way.
FoundIntervals found(std::size_t links = 2) {
  FoundIntervals out;
  for (std::uint32_t k = 0; k < links; ++k) out.links.push_back({.first = k});
  const std::string n = "shape n: u32 tunable block: u32 = 2u in 2u, 3u ";
  const std::string body = "let i: u32 = global_id(0) if i < n { ";
  out.intervals.push_back({0,
                           1,
                           {Kind::inline_},
                           stage_of("program f { " + n + "read x: u32[n] write u: u32[n] " + body +
                                        "u[i] = (x[i] + 1u) * block } }",
                                    {0, 2})});
  out.intervals.push_back({0,
                           1,
                           {Kind::merge},
                           stage_of("program f { " + n + "read x: u32[n] write u: u32[n] " + body +
                                        "u[i] = block + block * x[i] } }",
                                    {0, 2})});
  out.intervals.push_back({1,
                           2,
                           {Kind::epilogue},
                           stage_of("program f { " + n + "read t: u32[n] write y: u32[n] " + body +
                                        "y[i] = t[i] * block * block } }",
                                    {1, 3})});
  // Without `block`: it means something only where another step runs.
  out.intervals.push_back({0,
                           2,
                           {Kind::inline_, Kind::epilogue},
                           stage_of("program f { shape n: u32 read x: u32[n] write y: u32[n] " +
                                        body + "y[i] = (x[i] + 1u) * 4u } }",
                                    {0, 3})});
  return out;
}

Widened widened(const std::string& steps = kThree, FoundIntervals intervals = found()) {
  auto out = widened_by(parsed(sequence_text(steps)), std::move(intervals));
  EXPECT_TRUE(out) << out.error().message;
  return *std::move(out);
}

std::string text_of_steps(const Widened& w) {
  const std::string text = ir::print(w.sequence.def());
  return text.substr(text.find("  run "));
}

TEST(Widen, HoldsOriginalAndFusedStepsWithTheirConditions) {
  const Widened w = widened();
  EXPECT_EQ(text_of_steps(w),
            "  run plus(x, t) when !(fuse_0 == 1u & fuse_1 == 0u | fuse_0 == 3u & fuse_1 == 0u | "
            "fuse_0 == 1u & fuse_1 == 2u)\n"
            "  run times(t, u) when !(fuse_0 == 1u & fuse_1 == 0u | fuse_0 == 3u & fuse_1 == 0u | "
            "fuse_0 == 0u & fuse_1 == 2u | fuse_0 == 1u & fuse_1 == 2u)\n"
            "  run fused_0_1_i(x, u; n = n) when fuse_0 == 1u & fuse_1 == 0u\n"
            "  run fused_0_1_m(x, u; n = n) when fuse_0 == 3u & fuse_1 == 0u\n"
            "  run times(u, y) when !(fuse_0 == 0u & fuse_1 == 2u | fuse_0 == 1u & fuse_1 == 2u)\n"
            "  run fused_1_2_e(t, y; n = n) when fuse_0 == 0u & fuse_1 == 2u\n"
            "  run fused_0_2_ie(x, y; n = n) when fuse_0 == 1u & fuse_1 == 2u\n"
            "}\n");
  ASSERT_EQ(w.intervals.size(), 4U);
  EXPECT_EQ(w.intervals[3].step, 6U);
  EXPECT_EQ(w.intervals[3].kinds, (std::vector{Kind::inline_, Kind::epilogue}));
}

TEST(Widen, TheSpaceHasLegalPlansAndNoTunableThatNothingUses) {
  const Widened w = widened();
  EXPECT_EQ(w.space.parameters, (std::vector<space::Parameter>{
                                    {"fuse_0", {0, 1, 3}}, {"fuse_1", {0, 2}}, {"block", {2, 3}}}));
  const auto space = space::Space::build(w.space);
  ASSERT_TRUE(space) << space.error().message;
  std::vector<std::string> all;
  for (std::uint64_t k = 0; k < space->size(); ++k)
    all.push_back(vyre::to_string(space->config_at(k)));
  std::ranges::sort(all);
  EXPECT_EQ(all,
            (std::vector<std::string>{"fuse_0=0, fuse_1=0, block=2", "fuse_0=0, fuse_1=0, block=3",
                                      "fuse_0=0, fuse_1=2, block=2", "fuse_0=0, fuse_1=2, block=3",
                                      "fuse_0=1, fuse_1=0, block=2", "fuse_0=1, fuse_1=0, block=3",
                                      "fuse_0=1, fuse_1=2, block=2", "fuse_0=3, fuse_1=0, block=2",
                                      "fuse_0=3, fuse_1=0, block=3"}));
}

// Also of those that are no legal plan, and of values that are no kind.
TEST(Widen, EveryConfigurationGivesTheSame) {
  const Widened w = widened();
  const auto dispatcher = make_dispatcher(open_reference());
  const std::vector<std::uint32_t> x{1, 2, 3};
  const std::vector<Input> inputs{as_input(x)};
  for (const std::int64_t first : {0, 1, 2, 3, 9}) {
    for (const std::int64_t second : {0, 1, 2, 3, 9}) {
      const Config config{{"fuse_0", first}, {"fuse_1", second}};
      const auto out = dispatcher->dispatch(w.sequence, {.inputs = inputs, .config = &config});
      ASSERT_TRUE(out) << out.error().message;
      EXPECT_EQ(values_of<std::uint32_t>(out->at(0)), (std::vector<std::uint32_t>{8, 12, 16}))
          << vyre::to_string(config);
    }
  }
}

TEST(Widen, TheDefaultIsTheOriginal) {
  const Widened w = widened();
  for (const ir::Symbol& tunable : w.sequence.tunables()) {
    if (!tunable.name.starts_with(kTunable)) continue;
    EXPECT_EQ(tunable.default_bits, 0U) << tunable.name;
  }
}

TEST(Widen, WithoutIntervalsItIsTheOriginal) {
  FoundIntervals none = found();
  none.intervals.clear();
  const Widened w = widened(kThree, std::move(none));
  EXPECT_EQ(w.sequence.def(), parsed(sequence_text(kThree)));
  EXPECT_EQ(w.space.parameters, (std::vector<space::Parameter>{{"block", {2, 3}}}));
  EXPECT_TRUE(w.space.constraints.empty());
}

TEST(Widen, MovesTheRepeatWithItsSteps) {
  const std::string steps = "run plus(x, t) run plus(x, t) run times(t, u) run times(u, y)";
  for (const auto& [repeat, moved] :
       std::vector<std::pair<std::string, std::string>>{{"repeat 0 .. 4", "repeat 0 .. 8"},
                                                        {"repeat 1 .. 4", "repeat 1 .. 8"},
                                                        {"repeat 0 .. 1", "repeat 0 .. 1"}}) {
    FoundIntervals intervals = found(3);
    for (FoundInterval& i : intervals.intervals) ++i.first, ++i.last;
    const Widened w = widened(steps + "\n" + repeat + " until done limit 3", std::move(intervals));
    EXPECT_NE(ir::print(w.sequence.def()).find("  " + moved + " until done"), std::string::npos)
        << text_of_steps(w);
  }
}

TEST(Widen, NamesThatAreTakenAreLeftAlone) {
  ir::SequenceDef def = parsed(sequence_text(kThree));
  def.buffers.back().name = "fuse_0";
  def.programs[0].name = "fused_0_1_i";
  const auto w = widened_by(def, found());
  ASSERT_TRUE(w) << w.error().message;
  EXPECT_EQ(w->links[0].tunable, "fuse_0_");
  EXPECT_EQ(w->sequence.def().programs[2].name, "fused_0_1_i_");
}

}  // namespace
}  // namespace vyre::fuse::widener_tests
