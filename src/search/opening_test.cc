#include "search/opening.h"

#include <gtest/gtest.h>

namespace vyre {
namespace {

space::Space numbers(int count) {
  space::Parameter parameter{"x", {}};
  for (int k = 0; k < count; ++k) parameter.values.emplace_back(std::int64_t{k});
  return *space::Space::build({.parameters = {parameter}, .constraints = {}});
}

using Indices = std::vector<std::uint64_t>;

std::unique_ptr<Strategy> opened(Indices first, Indices then, std::size_t* calls = nullptr) {
  auto rest = make_strategy("exhaustive", numbers(10));
  return with_opening(*std::move(rest),
                      {.first = std::move(first), .follow_up = [then, calls](const auto& results) {
                         if (calls != nullptr) *calls += results.size();
                         return then;
                       }});
}

TEST(Opening, AsksForTheListThenForWhatFollowsThenForTheRest) {
  std::size_t results = 0;
  const auto strategy = opened({7, 3, 5}, {3, 9, 8}, &results);
  EXPECT_EQ(strategy->ask(2), (Indices{7, 3}));
  strategy->tell(7, {.time_ms = 2});
  EXPECT_EQ(strategy->ask(2), (Indices{5}));
  EXPECT_EQ(strategy->ask(2), Indices{});  // what follows depends on 3 and 5
  strategy->tell(5, {.status = Status::runtime});
  EXPECT_EQ(results, 0U);
  strategy->tell(3, {.time_ms = 1});
  EXPECT_EQ(results, 3U);
  EXPECT_EQ(strategy->ask(5), (Indices{9, 8}));  // 3 is known
  EXPECT_EQ(strategy->ask(9), (Indices{0, 1, 2, 4, 6}));
  EXPECT_EQ(strategy->ask(1), Indices{});
}

TEST(Opening, AsksAgainForWhatWasWithdrawn) {
  const auto strategy = opened({7, 3}, {});
  EXPECT_EQ(strategy->ask(2), (Indices{7, 3}));
  strategy->withdraw(3);
  strategy->tell(7, {.time_ms = 2});
  EXPECT_EQ(strategy->ask(2), (Indices{3}));
}

// A failure that is known from an earlier campaign is told before anything is asked.
TEST(Opening, DoesNotAskForWhatItWasTold) {
  const auto strategy = opened({7, 3}, {2});
  strategy->tell(7, {.status = Status::compile});
  strategy->tell(3, {.status = Status::compile});
  EXPECT_EQ(strategy->ask(1), (Indices{2}));
  EXPECT_EQ(strategy->expected_gain(), std::nullopt);
}

}  // namespace
}  // namespace vyre
