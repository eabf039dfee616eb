// What of two outputs counts as a difference, and how it is told.

#include "tune/compare.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "testing/tuned_programs.h"
#include "vyre/builder.h"

namespace vyre {
namespace {

// With one output, f32 x[n].
Problem problem_of_floats() {
  auto program = ir::build("twice", [](ir::Builder& b) {
    const auto n = b.shape("n");
    const auto group = b.tunable("group", 64);
    auto x = b.read_write(ir::Scalar::f32, "x", n);
    b.workgroup(group);
    const auto i = b.global_id(0);
    b.if_(i < n, [&] { x[i] = x[i] * 2.0F; });
  });
  return {.name = "twice",
          .sequence = *ir::Sequence::make(*std::move(program)),
          .space = *space::Space::build(
              {.parameters = {{"group", {std::int64_t{64}}}}, .constraints = {}})};
}

TEST(FirstDifference, IsExactForIntegersAndBoundedForFloats) {
  const Problem problem = problem_of_floats();
  const auto outputs = [](float value) {
    const std::vector<float> x{1, value};
    const auto bytes = std::as_bytes(std::span(x));
    return Outputs{{bytes.begin(), bytes.end()}};
  };
  EXPECT_EQ(first_difference(problem, outputs(2), outputs(2.0001F)), std::nullopt);
  EXPECT_EQ(first_difference(problem, outputs(2), outputs(2.01F)), "x[1] is 2, not 2.01");
  EXPECT_EQ(first_difference(problem, outputs(NAN), outputs(NAN)), std::nullopt);
  EXPECT_EQ(first_difference(problem, outputs(2), outputs(-INFINITY)), "x[1] is 2, not -inf");
  EXPECT_EQ(first_difference(problem, outputs(INFINITY), outputs(INFINITY)), std::nullopt);
  EXPECT_TRUE(first_difference(problem, outputs(NAN), outputs(1)));
  EXPECT_EQ(first_difference(problem, {}, outputs(1)), "x is missing");
}

TEST(FirstDifference, ShowsFloatsThatDifferAsDifferent) {
  Problem problem = problem_of_floats();
  problem.tolerance = {0, 0};
  const auto outputs = [](float value) {
    const std::vector<float> x{value};
    const auto bytes = std::as_bytes(std::span(x));
    return Outputs{{bytes.begin(), bytes.end()}};
  };
  EXPECT_EQ(first_difference(problem, outputs(1), outputs(1.0000001F)), "x[0] is 1, not 1.0000001");
}

TEST(FirstDifference, ShowsIntegersAsNumbers) {
  const Problem problem = testing::three_configurations();
  const auto outputs = [](std::uint32_t value) {
    const std::array<std::uint32_t, 4> y{1, 2, value, 4};
    const auto bytes = std::as_bytes(std::span(y));
    return Outputs{{bytes.begin(), bytes.end()}};
  };
  EXPECT_EQ(first_difference(problem, outputs(3), outputs(3)), std::nullopt);
  EXPECT_EQ(first_difference(problem, outputs(4'000'000'000), outputs(3)),
            "y[2] is 4000000000, not 3");
}

TEST(FirstDifference, PassesOverOutputsThatMayHoldAnything) {
  Problem problem = problem_of_floats();
  const Outputs one{std::vector<std::byte>(4, std::byte{0x40})};
  const Outputs two{std::vector<std::byte>(4, std::byte{0x41})};
  EXPECT_TRUE(first_difference(problem, one, two));
  EXPECT_TRUE(compares_outputs(problem));
  problem.opaque_outputs = {Opaque::ignored};
  EXPECT_EQ(first_difference(problem, one, two), std::nullopt);
  EXPECT_FALSE(compares_outputs(problem));
  EXPECT_EQ(first_difference(problem, {}, two), "x is missing");
}

}  // namespace
}  // namespace vyre
