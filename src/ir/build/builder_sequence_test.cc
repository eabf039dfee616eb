#include <gtest/gtest.h>

#include <string>

#include "vyre/builder.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

Expected<Program> scale() {
  return build("scale", [](Builder& b) {
    auto n = b.shape("n");
    auto a = b.scalar(f32, "a");
    auto tile = b.tunable("tile", 4);
    auto x = b.read(f32, "x", n);
    auto y = b.write(f32, "y", n);
    auto flag = b.read_write(u32, "flag", 1);
    auto i = b.global_id();
    b.workgroup(tile * 16);
    b.if_(i < n, [&] { y[i] = a * x[i]; });
    b.if_(i == 0, [&] { flag[0] += 1; });
  });
}

Value x_of_another() {
  Value kept;
  (void)build("other", [&](Builder& b) { kept = b.shape("n"); });
  return kept;
}

using SequenceBody = std::function<void(SequenceBuilder&)>;

std::string printed_sequence(const SequenceBody& body) {
  const auto sequence = build_sequence("s", body);
  return sequence ? print(sequence->def()) : sequence.error().message;
}

// The message, without the place.
std::string sequence_mistake(const SequenceBody& body) {
  const std::string text = printed_sequence(body);
  const std::size_t at = text.find(", at builder_sequence_test.cc:");
  if (at == std::string::npos) return text;
  return text.substr(0, at) + text.substr(text.find(": ", at));
}

TEST(SequenceBuilder, WritesRunsAndRepeats) {
  EXPECT_EQ(printed_sequence([](SequenceBuilder& s) {
              auto m = s.shape("m");
              auto a = s.scalar(f32, "a");
              auto x = s.read(f32, "x", m * 2);
              auto y = s.write(f32, "y", m * 2);
              auto t = s.scratch(f32, "t", m * 2);
              auto flag = s.read_write(u32, "flag", 1);
              s.run(scale(), {x, t, flag}, {m * 2, a});
              s.repeat_until(flag, 8, [&] {
                s.run(scale(), {t, y, flag}, {m * 2, 0.5F});
                s.run(scale(), {y, t, flag}, {m + m, a * 2});
              });
            }),
            R"(program scale {
  shape n: u32
  scalar a: f32
  tunable tile: u32 = 4u
  read x: f32[n]
  write y: f32[n]
  read_write flag: u32[1u]
  workgroup [tile * 16u]

  if global_id(0) < n {
    y[global_id(0)] = a * x[global_id(0)]
  }
  if global_id(0) == 0u {
    flag[0u] = flag[0u] + 1u
  }
}

sequence s {
  shape m: u32
  scalar a: f32
  read x: f32[m * 2u]
  write y: f32[m * 2u]
  scratch t: f32[m * 2u]
  read_write flag: u32[1u]

  run scale(x, t, flag; n = m * 2u, a = a)
  run scale(t, y, flag; n = m * 2u, a = 0.5f)
  run scale(y, t, flag; n = m + m, a = a * 2f)
  repeat 1 .. 3 until flag limit 8
}
)");
}

TEST(SequenceBuilder, WritesConditionsAndValues) {
  EXPECT_EQ(printed_sequence([](SequenceBuilder& s) {
              const auto one = build("one", [](Builder& b) {
                b.tunable(f32, "rate", 0.5F, {0.5F, 2});
                b.write(u32, "y", 4)[b.global_id()] = 1;
              });
              auto split = s.tunable("split", 1, {0, 1, 2});
              auto y = s.write(u32, "y", 4);
              s.when(split, [&] { s.run(one, {y}); });
              s.run(one, {y});
              s.when(split == 0, [&] {
                s.run(one, {y});
                s.run(one, {y});
              });
            }),
            R"(program one {
  tunable rate: f32 = 0.5f in 0.5f, 2f
  write y: u32[4u]

  y[global_id(0)] = 1u
}

sequence s {
  tunable split: u32 = 1u in 0u, 1u, 2u
  write y: u32[4u]

  run one(y) when split
  run one(y)
  run one(y) when split == 0u
  run one(y) when split == 0u
}
)");
}

TEST(SequenceBuilder, HoldsEqualProgramsOnce) {
  const auto sequence = build_sequence("s", [](SequenceBuilder& s) {
    auto x = s.read(f32, "x", 8);
    auto y = s.write(f32, "y", 8);
    auto t = s.scratch(f32, "t", 8);
    auto flag = s.scratch(u32, "flag", 1);
    s.run(scale(), {x, t, flag}, {8, 2});
    s.run(scale(), {t, y, flag}, {8, 2});
  });
  ASSERT_TRUE(sequence.has_value()) << sequence.error().message;
  EXPECT_EQ(sequence->def().programs.size(), 1U);
  EXPECT_EQ(sequence->tunables().size(), 1U);
}

TEST(SequenceBuilder, NamesMistakes) {
  struct Case {
    SequenceBody body;
    const char* message;
  };
  const Case table[] = {
      {[](SequenceBuilder& s) { s.run(build("bad", [](Builder& b) { b.global_id(7); }), {}); },
       R"(program "bad": global_id(7): an axis is 0, 1 or 2)"},
      {[](SequenceBuilder& s) { s.run(scale(), {s.read(f32, "x", 8)}); },
       R"(sequence "s": program "scale" has 3 buffers to bind, not 1)"},
      {[](SequenceBuilder& s) {
         auto x = s.read_write(f32, "x", 8);
         s.run(scale(), {x, x, x}, {8});
       },
       R"(sequence "s": program "scale" has 2 shapes and scalars, not 1; give all or none)"},
      {[](SequenceBuilder& s) {
         auto x = s.read_write(f32, "x", 8);
         auto n = s.shape("n");
         s.run(scale(), {x, x, x}, {8, n});
       },
       R"(sequence "s": "a" of program "scale" takes f32, not u32 "n")"},
      {[](SequenceBuilder& s) { s.run(scale(), {Array{}, Array{}, Array{}}); },
       R"(sequence "s": an empty array is used)"},
      {[](SequenceBuilder& s) { s.scratch(f32, "t", x_of_another()); },
       R"(sequence "s": a value of another sequence is used)"},
      {[](SequenceBuilder& s) {
         auto flag = s.read_write(u32, "flag", 1);
         s.repeat_until(flag, 8, [] {});
         s.repeat_until(flag, 8, [] {});
       },
       R"(sequence "s": a sequence has one repeat_until; build another sequence)"},
      {[](SequenceBuilder& s) { s.when(1.5F, [] {}); },
       R"(sequence "s": 1.5 is not exactly a value of type u32)"},
      {[](SequenceBuilder& s) { s.when(true, [&] { s.when(true, [] {}); }); },
       R"(sequence "s": a when stands in another; join both conditions)"},
      {[](SequenceBuilder& s) { s.tunable("t", 1, {1, -2}); },
       R"(sequence "s": -2 is not exactly a value of type u32)"},
  };
  for (const Case& c : table) EXPECT_EQ(sequence_mistake(c.body), c.message);
}

}  // namespace
}  // namespace vyre::ir
