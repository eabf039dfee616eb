#include "search/costs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vyre {
namespace {

space::Space space_of_costs() {
  space::Definition definition;
  definition.parameters = {
      {"unroll", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}}},
      {"mode", {std::string("a"), std::string("b"), std::string("c")}},
      {"one", {std::int64_t{7}}}};
  return *space::Space::build(definition);
}

// A factor of 2 per step of the first parameter, a factor of 3 for one value of the second.
double seconds_of(const space::Point& point) {
  return 0.1 * std::exp2(point[0]) * (point[1] == 1 ? 3 : 1);
}

TEST(Costs, AreNotKnownAtFirst) {
  const space::Space space = space_of_costs();
  Costs costs(space);
  EXPECT_FALSE(costs.seconds(0));
  costs.tell(0, {.status = Status::ok, .time_ms = 5});
  costs.tell(1, {.status = Status::ok, .time_ms = 5, .compile_seconds = NAN});
  EXPECT_FALSE(costs.are_known());
  costs.tell(1, {.status = Status::compile, .compile_seconds = 0.5});
  ASSERT_TRUE(costs.are_known());
  EXPECT_NEAR(*costs.seconds(11), 0.5, 1e-9) << "one cost stands for all";
}

TEST(Costs, AddUpOverParameters) {
  const space::Space space = space_of_costs();
  Costs costs(space);
  for (const std::uint64_t index : {0U, 1U, 3U, 5U, 6U, 8U, 9U, 10U}) {
    const double seconds = seconds_of(space.at(index));
    costs.tell(index, {.time_ms = 1, .compile_seconds = seconds / 2, .run_seconds = seconds / 2});
  }
  for (const std::uint64_t unseen : {2U, 4U, 7U, 11U}) {
    const double ratio = *costs.seconds(unseen) / seconds_of(space.at(unseen));
    EXPECT_NEAR(std::log2(ratio), 0, 0.6) << unseen;
  }
}

TEST(Costs, StayInBoundsWithManyResults) {
  const space::Space space = space_of_costs();
  Costs costs(space);
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const std::uint64_t index = k % space.size();
    costs.tell(index, {.time_ms = 1, .run_seconds = seconds_of(space.at(index))});
  }
  EXPECT_NEAR(*costs.seconds(0), 0.1, 0.01);
}

}  // namespace
}  // namespace vyre
