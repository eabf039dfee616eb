#include <gtest/gtest.h>

#include <map>

#include "ir/rewrite/sequence_of.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

SequenceDef def_of(const std::string& text) {
  auto def = parse(text);
  EXPECT_TRUE(def.has_value()) << def.error().message << "\n" << text;
  return def ? *std::move(def) : SequenceDef{};
}

const std::string kPrograms = R"(
program scale {
  shape n: u32
  scalar a: f32
  tunable tile: u32 = 4u
  read x: f32[n]
  write y: f32[n]
  workgroup [tile]

  let i: u32 = global_id(0)
  y[i] = a * x[i]
}
program check {
  tunable wide: bool = false
  tunable tile: u32 = 4u
  read x: f32[tile]
  write done: u32[1u]

  done[0u] = u32(x[0u] > 1f)
}
)";

const std::string kDeclarations =
    "shape n: u32 scalar b: f32 tunable first: u32 = 1u read x: f32[n] write d: u32[1u] "
    "write z: f32[n] scratch s: f32[n] scratch t: f32[n]\n";

const std::string kSteps = "run scale(x, s; n = n, a = b)\nrun scale(s, t; n = n, a = b)\n";

std::string sequence(const std::string& steps, const std::string& declarations = kDeclarations) {
  return kPrograms + "sequence test {\n" + declarations + steps + "}\n";
}

TEST(Sequence, HoldsWhatWasValidated) {
  const SequenceDef def =
      def_of(sequence(kSteps + "run check(t, d)\nrepeat 1 .. 3 until d limit 9"));
  const auto made = Sequence::make(def);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->def(), def);
  EXPECT_EQ(made->fingerprint(), fingerprint(def));
  const Sequence copy = *made;
  EXPECT_EQ(copy.identity(), made->identity());
  EXPECT_NE(Sequence::make(def)->identity(), made->identity());
}

TEST(Sequence, ListsTunablesOnceInOrderOfDeclaration) {
  const auto made = Sequence::make(def_of(sequence(kSteps)));
  ASSERT_TRUE(made.has_value()) << made.error().message;
  std::vector<std::string> names;
  for (const Symbol& symbol : made->tunables()) names.push_back(symbol.name);
  EXPECT_EQ(names, (std::vector<std::string>{"first", "tile", "wide"}));
}

TEST(Sequence, TakesTheValuesOfATunableFromTheDeclarationThatHasThem) {
  const auto made =
      Sequence::make(def_of("program p { tunable t: u32 = 4u write y: u32[1u] }\n"
                            "program q { tunable t: u32 = 4u in 4u, 8u write y: u32[1u] }\n"
                            "sequence s { write y: u32[1u] run p(y) run q(y) }"));
  ASSERT_TRUE(made.has_value()) << made.error().message;
  ASSERT_EQ(made->tunables().size(), 1U);
  EXPECT_EQ(made->tunables()[0].values, (std::vector<std::uint64_t>{4, 8}));
}

TEST(Sequence, GivesTheFirstErrorOfTheList) {
  SequenceDef def = def_of(sequence(kSteps));
  def.steps[1].program = 7;
  const auto made = Sequence::make(def);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error(), validate(def).front());

  Program program = def.programs[0];
  program.buffers[1].access = Access::read;
  const auto one = Sequence::make(program);
  ASSERT_FALSE(one.has_value());
  EXPECT_EQ(one.error(), validate(program).front());
}

TEST(Sequence, OfOneProgramIsThatProgram) {
  const SequenceDef def = def_of(sequence(kSteps));
  for (const Program& program : def.programs) {
    const auto made = Sequence::make(program);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    EXPECT_EQ(made->def(), sequence_of(program));
    EXPECT_EQ(made->fingerprint(), fingerprint(program));
  }
}

// Written by hand, under other names, and with the default of what only the workgroup uses changed.
TEST(SequenceFingerprint, OfAPlainWrapperIsTheProgramsOwn) {
  const SequenceDef def = def_of(
      "program scale { shape n: u32 scalar a: f32 tunable tile: u32 = 8u read x: f32[n]\n"
      "write y: f32[n] workgroup [tile] let i: u32 = global_id(0) y[i] = a * x[i] }\n"
      "sequence wrapped { tunable tile: u32 = 8u shape m: u32 scalar b: f32 read in: f32[m]\n"
      "write out: f32[m] run scale(in, out; n = m, a = b) }");
  EXPECT_EQ(fingerprint(def), fingerprint(def_of(sequence(kSteps)).programs[0]));
}

TEST(SequenceFingerprint, DoesNotCountNamesAndOrderOfScratchAndPrograms) {
  const Fingerprint first = fingerprint(def_of(sequence(kSteps)));
  SequenceDef renamed = def_of(sequence(
      "run scale(x, u; n = k, a = c) run scale(u, v; n = k, a = c)",
      "shape k: u32 tunable first: u32 = 1u scalar c: f32 read x: f32[k] scratch v: f32[k] "
      "write e: u32[1u] write q: f32[k] scratch u: f32[k]\n"));
  EXPECT_EQ(fingerprint(renamed), first);
  std::swap(renamed.programs[0], renamed.programs[1]);
  for (Step& step : renamed.steps) step.program = 1 - step.program;
  EXPECT_EQ(fingerprint(renamed), first);
}

// Decisions are kept by fingerprint, so these never change.
TEST(SequenceFingerprint, StaysWhatItWas) {
  EXPECT_EQ(to_hex(fingerprint(def_of(sequence(kSteps)))),
            "bfcd0e2daf230205db01d967c69c0e099fc439cb3acf11883ffb7fa097dd4c6f");
  EXPECT_EQ(to_hex(fingerprint(
                def_of(sequence(kSteps + "run check(t, d)\nrepeat 1 .. 3 until d limit 9")))),
            "965e52554b28aac51c4ac3693eb135b34a9b3a443ac1e06103e1deb173a01084");
}

TEST(SequenceFingerprint, CountsEverythingElse) {
  const std::string last = "run check(t, d)\n";
  std::vector<std::string> texts = {
      sequence(kSteps),
      sequence(kSteps + last),
      sequence(last + kSteps),
      sequence(kSteps + last + "repeat 0 .. 3 until d limit 9"),
      sequence(kSteps + last + "repeat 1 .. 3 until d limit 9"),
      sequence(kSteps + last + "repeat 0 .. 2 until d limit 9"),
      sequence(kSteps + last + "repeat 0 .. 3 until d limit 8"),
      sequence("run scale(x, s; n = n, a = b)"),
      sequence("run scale(x, s; a = b)"),
      sequence("run scale(x, s; n = n, a = b + b)"),
      sequence("run scale(x, s; n = first, a = b)"),
      sequence("run scale(x, z; n = n, a = b)"),
      sequence("run scale(x, s; n = n, a = b) when first == 1u"),
      sequence("run scale(x, s; n = n, a = b) when first == 0u"),
      sequence("run scale(x, s; n = n, a = b) when first"),
      sequence("run scale(x, s; n = n, a = b) run scale(x, t; n = n, a = b) when first"),
      sequence("run scale(x, s; n = n, a = b) when first run scale(x, t; n = n, a = b)"),
      sequence(kSteps + last + "run check(t, d) when first repeat 0 .. 3 until d limit 9"),
      sequence("run scale(x, s; n = n, a = b) run scale(x, t; n = n, a = b)"),
      sequence("run scale(x, s; n = n, a = b) run scale(t, s; n = n, a = b)"),
      sequence("run scale(x, y; n = n, a = b)",
               "shape n: u32 scalar b: f32 read x: f32[n] write y: f32[n]\n"),
      sequence("run scale(x, y; n = n, a = b)",
               "scalar b: f32 shape n: u32 read x: f32[n] write y: f32[n]\n"),
      sequence("run scale(x, y; n = n, a = b)",
               "shape n: u32 scalar b: f32 write y: f32[n] read x: f32[n]\n"),
      sequence("run scale(x, y; n = n, a = b)",
               "shape n: u32 scalar b: f32 read x: f32[n] read_write y: f32[n]\n"),
      sequence("run scale(x, y; n = n, a = b)",
               "shape n: u32 scalar b: f32 read x: f32[n] write y: f32[2u * n]\n"),
  };
  std::map<Fingerprint, std::string> seen;
  for (const std::string& text : texts) {
    const SequenceDef def = def_of(text);
    EXPECT_TRUE(validate(def).empty()) << validate(def).front().message;
    const auto [other, is_new] = seen.emplace(fingerprint(def), text);
    EXPECT_TRUE(is_new) << text << "\nand " << other->second;
  }
}

}  // namespace
}  // namespace vyre::ir
