#include "backend/plan.h"

#include <gtest/gtest.h>

#include "vyre/program.h"

namespace vyre::backend {
namespace {

constexpr DeviceLimits kLimits{.workgroup_items = 256,
                               .workgroup_size = {256, 256, 64},
                               .buffer_bytes = 1 << 20,
                               .local_bytes = 1024,
                               .compute_units = 1};

ir::Sequence sequence_of(const std::string& declarations) {
  auto def = ir::parse("program p {\n" + declarations + "  y[0u] = 1u\n}\n");
  EXPECT_TRUE(def) << def.error().message;
  auto sequence = ir::Sequence::make(*std::move(def));
  EXPECT_TRUE(sequence) << sequence.error().message;
  return *sequence;
}

struct Case {
  const char* declarations;
  std::vector<Argument> arguments;
  Config config;
  ErrorKind kind;
  const char* message;
};

TEST(Plan, SaysWhatIsWrong) {
  const std::vector<Case> table{
      {"  shape n: u32\n  write y: u32[n]\n",
       {},
       {},
       ErrorKind::bad_inputs,
       "\"p\": shape \"n\" of buffer \"y\" follows from no input; add it to the call's arguments"},
      {"  shape n: u32\n  write y: u32[n]\n",
       {{"n", 0}},
       {},
       ErrorKind::bad_inputs,
       "\"p\": buffer \"y\" has no elements; give sizes above zero"},
      {"  shape n: u32\n  write y: u32[n]\n",
       {{"n", 300'000}},
       {},
       ErrorKind::bad_inputs,
       "\"p\": buffer \"y\" of 300000 elements is more than the device's 1048576 bytes"},
      {"  tunable t: u32 = 1u\n  write y: u32[1u]\n",
       {},
       Config{{"t", 0.5}},
       ErrorKind::bad_inputs,
       "\"p\": tunable \"t\" cannot be 0.5; it is a u32"},
      {"  tunable t: u32 = 1u\n  write y: u32[1u]\n",
       {},
       Config{{"t", std::int64_t{-1}}},
       ErrorKind::bad_inputs,
       "\"p\": tunable \"t\" cannot be -1; it is a u32"},
      {"  tunable t: bool = true\n  write y: u32[1u]\n",
       {},
       Config{{"t", std::int64_t{1}}},
       ErrorKind::bad_inputs,
       "\"p\": tunable \"t\" cannot be 1; it is a bool"},
      {"  tunable tile: u32 = 1u\n  write y: u32[1u]\n",
       {},
       Config{{"tilt", std::int64_t{1}}},
       ErrorKind::bad_inputs,
       "\"p\": there is no tunable \"tilt\"; did you mean \"tile\"?"},
      {"  write y: u32[1u]\n  local a: u32[300u]\n",
       {},
       {},
       ErrorKind::rejected,
       "\"p\" needs 1200 bytes of local memory, the device has 1024; use smaller tiles"},
      {"  write y: u32[1u]\n  workgroup [32u, 16u, 1u]\n",
       {},
       {},
       ErrorKind::rejected,
       "\"p\": a workgroup of 32 x 16 x 1 is more than the device's 256 invocations; use a "
       "smaller one"},
      {"  write y: u32[1u]\n  workgroup [1u, 1u, 65u]\n",
       {},
       {},
       ErrorKind::rejected,
       "\"p\": a workgroup of 65 on axis 2; the device takes 1 to 64"},
      {"  tunable t: u32 = 1u\n  write y: u32[1u]\n  workgroup [t, 1u, 1u]\n",
       {},
       Config{{"t", std::int64_t{0}}},
       ErrorKind::rejected,
       "\"p\": a workgroup of 0 on axis 0; the device takes 1 to 256"},
      {"  shape n: u32\n  write y: u32[n * n + 1u]\n",
       {{"n", 65'536}},
       {},
       ErrorKind::bad_inputs,
       "\"p\": the length of buffer \"y\" of \"p\" does not fit in its type on the way to 1; give "
       "smaller sizes"},
      {"  shape n: u32\n  write y: u32[1u]\n  grid [n, 1u, 1u]\n",
       {{"n", 0}},
       {},
       ErrorKind::bad_inputs,
       "\"p\": a grid of 0 workgroups of 64 on axis 0; their product must be 1 to 2^32 - 1"},
      {"  shape n: u32\n  write y: u32[1u]\n  grid [n, 1u, 1u]\n",
       {{"n", 67'108'864}},
       {},
       ErrorKind::bad_inputs,
       "\"p\": a grid of 67108864 workgroups of 64 on axis 0; their product must be 1 to 2^32 - 1"},
  };
  for (const Case& c : table) {
    const auto plan = make_plan(sequence_of(c.declarations),
                                {.arguments = c.arguments, .config = &c.config}, kLimits);
    ASSERT_FALSE(plan) << c.message;
    EXPECT_EQ(plan.error().message, c.message);
    EXPECT_EQ(plan.error().kind, c.kind) << c.message;
  }
}

// Two ways to the same result; `t` is needed by one of them only.
ir::Sequence two_ways() {
  auto def = ir::parse(R"(
program p { shape n: u32 read x: u32[n] write y: u32[n] workgroup [512u] y[0u] = 1u }
program q { shape n: u32 read x: u32[n] write y: u32[n] y[0u] = 1u }
sequence s {
  shape n: u32
  tunable way: u32 = 0u in 0u, 1u, 2u
  read x: u32[n]
  write y: u32[n]
  scratch t: u32[n]
  scratch u: u32[n * 2u]
  run q(x, t) when way == 0u
  run q(t, y) when way == 0u
  run p(x, y) when way == 1u
})");
  EXPECT_TRUE(def) << def.error().message;
  return *ir::Sequence::make(*std::move(def));
}

TEST(Plan, LeavesOutStepsThatAreOff) {
  const std::vector<std::byte> x(400);
  const std::vector<Input> inputs{x};
  const ir::Sequence sequence = two_ways();
  const auto plan = make_plan(sequence, {.inputs = inputs}, kLimits);
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->steps.size(), 2U);
  EXPECT_EQ(plan->steps[1].step, 1U);
  EXPECT_EQ(plan->has_memory, (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(buffer_bytes(sequence, *plan), 1200U);

  DeviceLimits wide = kLimits;
  wide.workgroup_items = wide.workgroup_size[0] = 512;
  const Config other{{"way", std::int64_t{1}}};
  const auto one = make_plan(sequence, {.inputs = inputs, .config = &other}, wide);
  ASSERT_TRUE(one) << one.error().message;
  ASSERT_EQ(one->steps.size(), 1U);
  EXPECT_EQ(one->steps[0].step, 2U);
  EXPECT_EQ(one->steps[0].program, 0U);
  EXPECT_EQ(one->has_memory, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(shape_of(sequence, *one), shape_of(sequence, *plan));
  // The step that is too large for the device is refused only where it is on.
  EXPECT_EQ(make_plan(sequence, {.inputs = inputs, .config = &other}, kLimits).error().kind,
            ErrorKind::rejected);

  const Config none{{"way", std::int64_t{2}}};
  EXPECT_EQ(make_plan(sequence, {.inputs = inputs, .config = &none}, kLimits).error().message,
            "\"s\": no step is on; choose tunables with which one is");
}

// All configurations refuse the same calls.
TEST(Plan, ChecksTheSizesOfStepsThatAreOff) {
  auto def = ir::parse(R"(
program p { shape n: u32 read x: u32[n] write y: u32[2u * n] y[0u] = 1u }
program q { shape n: u32 read x: u32[n] write y: u32[n] y[0u] = 1u }
sequence s { shape n: u32 shape m: u32 read x: u32[n] write y: u32[m]
  run q(x, y; n = n) when true
  run p(x, y; n = n) when false
})");
  ASSERT_TRUE(def) << def.error().message;
  const std::vector<Argument> arguments{{"m", 4}};
  const std::vector<std::byte> x(16);
  const std::vector<Input> inputs{x};
  const auto plan = make_plan(*ir::Sequence::make(*std::move(def)),
                              {.inputs = inputs, .arguments = arguments}, kLimits);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "\"s\": buffer \"y\" of \"p\" has 8 elements, 4 are bound to it");
}

TEST(Plan, DefaultWorkgroupFitsTheDevice) {
  const ir::Sequence s = sequence_of("  write y: u32[100u]\n");
  struct Limit {
    std::uint32_t items;
    std::uint32_t expected;
  };
  for (const auto& [items, expected] :
       {Limit{1024, 64}, Limit{64, 64}, Limit{63, 32}, Limit{1, 1}}) {
    DeviceLimits limits = kLimits;
    limits.workgroup_items = items;
    const auto plan = make_plan(s, {}, limits);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->steps[0].specialisation.workgroup, (Extent{expected, 1, 1}));
    EXPECT_EQ(plan->steps[0].groups, (Extent{(100 + expected - 1) / expected, 1, 1}));
  }
}

}  // namespace
}  // namespace vyre::backend
