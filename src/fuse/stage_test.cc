// Steps as programs over the names of their sequence.

#include "fuse/stage.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/joined.h"

namespace vyre::fuse::stage_tests {
namespace {

ir::SequenceDef sequence_of(const std::string& text) {
  auto out = ir::parse(text);
  EXPECT_TRUE(out.has_value()) << (out ? "" : out.error().message);
  for (const Error& error : ir::validate(*out)) ADD_FAILURE() << error.message;
  return *std::move(out);
}

const std::string kScale = R"(program scale {
  shape n: u32
  shape m: u32
  scalar by: f32
  tunable group: u32 = 8u
  read x: f32[n]
  write y: f32[n]
  local l: f32[group]

  let i: u32 = global_id(0)
  if i < n & i < length(x) {
    y[i] = x[i] * by * f32(m) + l[0u]
  }
}
sequence s {
  shape w: u32
  scalar i: f32
  tunable group: u32 = 8u
  read x: f32[w * 2u]
  write z: f32[w * 2u]
  run scale(x, z; m = length(z) + group, by = i)
}
)";

TEST(Instantiate, ReplacesSymbolsAndNames) {
  const ir::SequenceDef sequence = sequence_of(kScale);
  const auto stage = instantiate(sequence, 0);
  ASSERT_TRUE(stage.has_value()) << stage.error().why;
  EXPECT_EQ(ir::print(stage->program), R"(program scale {
  shape w: u32
  tunable group: u32 = 8u
  tunable fused_block: u32 = 64u
  scalar i: f32
  read x: f32[w * 2u]
  write z: f32[w * 2u]
  local step0_l: f32[group]
  workgroup [fused_block]
  grid [(w * 2u - 1u) / fused_block + 1u]

  let step0_i: u32 = global_id(0)
  if step0_i < w * 2u & step0_i < length(x) {
    z[step0_i] = x[step0_i] * i * f32(w * 2u + group) + step0_l[0u]
  }
}
)");
  EXPECT_EQ(stage->buffers, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(sequence_buffer(*stage, 1), 1U);
  EXPECT_EQ(sequence_buffer(*stage, 2), ir::kNone);
  EXPECT_EQ(find_in(*stage, 1), 1U);
  EXPECT_EQ(find_in(*stage, 7), ir::kNone);
}

TEST(Instantiate, GivesTheSameResults) {
  const ir::SequenceDef sequence = sequence_of(kScale);
  const auto stage = instantiate(sequence, 0);
  ASSERT_TRUE(stage.has_value());
  const ir::SequenceDef other = testing::with_joined(sequence, 0, 0, *stage);
  for (const std::uint64_t w : {1U, 7U, 64U, 130U}) {
    const std::vector<Argument> arguments{{"w", w}, {"i", 0x40400000}};
    EXPECT_EQ(testing::difference_of(sequence, other, arguments), "") << w;
  }
}

TEST(Instantiate, LaunchIsMadeExplicit) {
  struct Case {
    const char* name;
    const char* launch;
    const char* expected;
  };
  for (const auto& [name, launch, expected] : {
           Case{"nothing", "",
                "  workgroup [fused_block]\n  grid [(max(n, 2u * n) - 1u) / fused_block + 1u]\n"},
           Case{"workgroup", "workgroup [4u, 2u]",
                "  workgroup [4u, 2u]\n  grid [(max(n, 2u * n) - 1u) / (4u * 2u) + 1u]\n"},
           Case{"grid", "grid [n]", "  workgroup [64u]\n  grid [n]\n"},
           Case{"both", "workgroup [_, 2u] grid [_, n]", "  workgroup [_, 2u]\n  grid [_, n]\n"},
       }) {
    const ir::SequenceDef sequence = sequence_of(
        "program p { shape n: u32 read x: u32[3u * n] write a: u32[n] "
        "write b: u32[2u * n] write c: u32[n] " +
        std::string(launch) + R"( }
sequence s { shape n: u32 read x: u32[3u * n] write a: u32[n] write b: u32[2u * n] write c: u32[n]
  run p(x, a, b, c) })");
    const auto stage = instantiate(sequence, 0);
    ASSERT_TRUE(stage.has_value()) << name;
    EXPECT_NE(ir::print(stage->program).find(expected), std::string::npos)
        << name << ir::print(stage->program);
  }
}

TEST(Instantiate, OneBufferBoundTwiceIsOne) {
  const ir::SequenceDef sequence = sequence_of(R"(
program add { shape n: u32 read a: u32[n] read b: u32[n] write c: u32[n]
  c[global_id(0)] = a[global_id(0)] + b[global_id(0)] }
sequence s { shape n: u32 read x: u32[n] write y: u32[n] run add(x, x, y) })");
  const auto stage = instantiate(sequence, 0);
  ASSERT_TRUE(stage.has_value());
  EXPECT_EQ(stage->buffers, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_NE(ir::print(stage->program).find("x[global_id(0)] + x[global_id(0)]"), std::string::npos);
}

TEST(Instantiate, Refusals) {
  struct Case {
    const char* text;
    Refusal expected;
  };
  for (const auto& [text, expected] : {
           Case{"program p { shape n: u32 write y: u32[n] source opencl_c \"p\" (y) \"void p() "
                "{}\" } "
                "sequence s { shape n: u32 write y: u32[n] run p(y) }",
                {"stage.source", "\"p\" is written in another language"}},
           Case{"program p { tunable n: u32 = 4u write y: u32[n] } "
                "sequence s { shape n: u32 write y: u32[4u] write z: u32[n] run p(y) }",
                {"stage.names",
                 "a tunable of \"p\" has a name that the sequence uses for something else"}},
           Case{"program p { tunable y: u32 = 4u write z: u32[y] } "
                "sequence s { write y: u32[4u] run p(y) }",
                {"stage.names",
                 "a tunable of \"p\" has a name that the sequence uses for something else"}},
           Case{"program p { shape n: u32 write y: u32[n] y[5u] = 1u } "
                "sequence s { write y: u32[4u] run p(y) }",
                {"stage.invalid", ""}},
       }) {
    const auto stage = instantiate(sequence_of(text), 0);
    ASSERT_FALSE(stage.has_value()) << text;
    EXPECT_EQ(stage.error().rule, expected.rule) << text << stage.error().why;
    if (!expected.why.empty()) {
      EXPECT_EQ(stage.error().why, expected.why);
    }
  }
}

}  // namespace
}  // namespace vyre::fuse::stage_tests
