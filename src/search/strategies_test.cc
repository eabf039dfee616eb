// The promises of Strategy, checked on every strategy.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testing/landscapes.h"
#include "vyre/substrate/search.h"

namespace vyre {
namespace {

class EveryStrategy : public ::testing::TestWithParam<StrategyKind> {
 protected:
  EveryStrategy() : device_(*Replay::make(testing::small_landscape())) {}

  std::unique_ptr<Strategy> make(const StrategyOptions& options = {}) {
    auto strategy = make_strategy(GetParam().name, device_.space(), options);
    EXPECT_TRUE(strategy) << strategy.error().message;
    return *std::move(strategy);
  }

  // Asks and tells until `most` evaluations or the end; the indices in order.
  std::vector<std::uint64_t> run(Strategy& strategy, std::size_t most, std::size_t batch = 1) {
    std::vector<std::uint64_t> order;
    while (order.size() < most) {
      const auto asked = strategy.ask(std::min(batch, most - order.size()));
      if (asked.empty()) break;
      for (const std::uint64_t index : asked) {
        strategy.tell(index, *device_.evaluate(index));
        order.push_back(index);
      }
    }
    return order;
  }

  double best_of(const std::vector<std::uint64_t>& order) {
    double best = 1e300;
    for (const std::uint64_t index : order) {
      if (const auto& t = device_.recording().rows[index].time_ms) best = std::min(best, *t);
    }
    return best;
  }

  Replay device_;
};

TEST_P(EveryStrategy, AsksForEverythingOnceAndThenForNothing) {
  for (const std::size_t batch : {1U, 7U}) {
    auto strategy = make();
    const auto order = run(*strategy, 1000, batch);
    EXPECT_EQ(order.size(), device_.space().size());
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), order.size());
    EXPECT_TRUE(strategy->ask(1).empty());
  }
}

TEST_P(EveryStrategy, IsDeterministic) {
  for (const std::size_t batch : {1U, 4U}) {
    const auto first = run(*make({.seed = 7}), 40, batch);
    const auto second = run(*make({.seed = 7}), 40, batch);
    EXPECT_EQ(first, second);
  }
}

TEST_P(EveryStrategy, AsksForItsStartFirst) {
  const auto order = run(*make({.start = {5, 77, 5, 11}}), 3);
  EXPECT_EQ(order, (std::vector<std::uint64_t>{5, 77, 11}));
}

TEST_P(EveryStrategy, NeverAsksForWhatItWasTold) {
  auto strategy = make();
  for (std::uint64_t index = 0; index < 60; ++index) {
    strategy->tell(index, *device_.evaluate(index));
    strategy->tell(index, Result{Status::ok, 0.001});  // ignored
  }
  const auto order = run(*strategy, 1000);
  EXPECT_EQ(order.size(), device_.space().size() - 60);
  EXPECT_GE(std::ranges::min(order), 60U);
}

TEST_P(EveryStrategy, TakesResultsInAnyOrder) {
  auto strategy = make();
  auto first = strategy->ask(10);
  const auto second = strategy->ask(10);
  ASSERT_EQ(first.size(), 10U);
  ASSERT_EQ(second.size(), 10U);
  for (const std::uint64_t index : second) {
    EXPECT_EQ(std::ranges::count(first, index), 0);
    strategy->tell(index, *device_.evaluate(index));
  }
  std::ranges::reverse(first);
  for (const std::uint64_t index : first) strategy->tell(index, *device_.evaluate(index));
  EXPECT_EQ(run(*strategy, 1000).size(), device_.space().size() - 20);
}

TEST_P(EveryStrategy, KeepsWhatIsUnderWayAcrossAsks) {
  auto strategy = make();
  std::vector<std::uint64_t> under_way = strategy->ask(3);
  std::set<std::uint64_t> seen(under_way.begin(), under_way.end());
  ASSERT_EQ(seen.size(), 3U);
  while (!under_way.empty()) {  // told in another order than asked
    const std::uint64_t done = under_way[seen.size() % under_way.size()];
    std::erase(under_way, done);
    strategy->tell(done, *device_.evaluate(done));
    for (const std::uint64_t index : strategy->ask(1)) {
      EXPECT_TRUE(seen.insert(index).second) << index << " was asked for before";
      under_way.push_back(index);
    }
  }
  EXPECT_EQ(seen.size(), device_.space().size());
}

TEST_P(EveryStrategy, AsksAgainForWhatWasWithdrawn) {
  auto strategy = make({.start = {5}});
  EXPECT_EQ(strategy->ask(1), (std::vector<std::uint64_t>{5}));
  strategy->withdraw(5);
  strategy->withdraw(5);  // ignored, like the next two
  strategy->withdraw(6);
  EXPECT_EQ(strategy->ask(1), (std::vector<std::uint64_t>{5})) << "a start stays the first";
  strategy->tell(5, *device_.evaluate(5));
  strategy->withdraw(5);
  std::set<std::uint64_t> told{5};
  std::size_t round = 0;
  for (auto asked = strategy->ask(4); !asked.empty(); asked = strategy->ask(4), ++round) {
    ASSERT_LT(round, 200U);
    if (round % 2 == 0 && asked.size() > 1) {
      strategy->withdraw(asked.back());
      asked.pop_back();
    }
    for (const std::uint64_t index : asked) {
      EXPECT_TRUE(told.insert(index).second) << index << " was told before";
      strategy->tell(index, *device_.evaluate(index));
    }
  }
  EXPECT_EQ(told.size(), device_.space().size());
}

TEST_P(EveryStrategy, IsDeterministicWithSomeUnderWayAndWithdrawn) {
  const auto walk = [this] {
    auto strategy = make({.seed = 3});
    std::vector<std::uint64_t> order;
    std::vector<std::uint64_t> under_way;
    for (std::size_t k = 0; k < 40; ++k) {
      for (const std::uint64_t index : strategy->ask(k % 3 + 1, k % 5 == 4 ? 0.5 : 1e9)) {
        order.push_back(index);
        under_way.push_back(index);
      }
      if (under_way.empty()) break;
      const std::uint64_t done = under_way[k % under_way.size()];
      std::erase(under_way, done);
      Result result = *device_.evaluate(done);
      result.compile_seconds = 0.1 * static_cast<double>(1 + device_.space().at(done)[0]);
      if (k % 7 == 6) {
        strategy->withdraw(done);
      } else {
        strategy->tell(done, result);
      }
    }
    return order;
  };
  EXPECT_EQ(walk(), walk());
}

// The first parameter decides about the cost.
TEST_P(EveryStrategy, KeepsToTheSecondsGiven) {
  auto strategy = make();
  EXPECT_FALSE(strategy->expected_seconds(0));
  EXPECT_EQ(strategy->ask(1, 1e-9).size(), 1U) << "no cost is known";
  const space::Space& space = device_.space();
  const std::size_t values = space.parameters()[0].values.size();
  const auto is_cheap = [&](std::uint64_t index) { return space.at(index)[0] < values / 2; };
  std::set<std::uint64_t> told;
  for (std::uint64_t index = 0; index < space.size(); index += 3) {
    Result result = *device_.evaluate(index);
    result.compile_seconds = is_cheap(index) ? 0.2 : 8;
    result.run_seconds = 0.1;
    strategy->tell(index, result);
    told.insert(index);
  }
  ASSERT_TRUE(strategy->expected_seconds(1));
  for (auto asked = strategy->ask(1, 1.5); !asked.empty(); asked = strategy->ask(1, 1.5)) {
    EXPECT_LE(*strategy->expected_seconds(asked[0]), 1.5);
    EXPECT_TRUE(is_cheap(asked[0])) << *strategy->expected_seconds(asked[0]);
    EXPECT_TRUE(told.insert(asked[0]).second);
    strategy->tell(asked[0], *device_.evaluate(asked[0]));
  }
  EXPECT_TRUE(strategy->ask(1, 1e-3).empty());
  EXPECT_FALSE(strategy->ask(1).empty()) << "the dear ones are left";
}

TEST_P(EveryStrategy, GoesOnWhenEverythingFails) {
  auto strategy = make();
  std::size_t count = 0;
  for (auto asked = strategy->ask(1); !asked.empty(); asked = strategy->ask(1), ++count) {
    strategy->tell(asked[0], Result{Status::compile, 0});
  }
  EXPECT_EQ(count, device_.space().size());
}

TEST_P(EveryStrategy, WorksOnASpaceOfOne) {
  const auto space = space::Space::from_rows({{"a", {std::int64_t{1}}}}, {{0}});
  ASSERT_TRUE(space) << space.error().message;
  auto strategy = make_strategy(GetParam().name, *space);
  EXPECT_EQ((*strategy)->ask(5), (std::vector<std::uint64_t>{0}));
  (*strategy)->tell(0, Result{Status::ok, 2.0});
  EXPECT_TRUE((*strategy)->ask(5).empty());
}

TEST_P(EveryStrategy, WorksWhereOnlySamplingCan) {
  space::Definition definition;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    space::Parameter p{name, {}};
    for (std::int64_t v = 0; v < 32; ++v) p.values.emplace_back(v);
    definition.parameters.push_back(p);
  }
  definition.constraints = {"a + b < 50", "(c * d) % 2 == 0"};
  const auto space = space::Space::build(definition);
  ASSERT_TRUE(space) << space.error().message;
  ASSERT_GT(space->size(), 100'000'000'000U);
  auto strategy = make_strategy(GetParam().name, *space);
  std::set<std::uint64_t> seen;
  for (int k = 0; k < 30; ++k) {
    const auto asked = (*strategy)->ask(1);
    ASSERT_EQ(asked.size(), 1U);
    ASSERT_LT(asked[0], space->size());
    EXPECT_TRUE(seen.insert(asked[0]).second);
    const auto point = space->at(asked[0]);
    (*strategy)->tell(asked[0], Result{Status::ok, 1.0 + point[0] + 2.0 * point[3]});
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy,
                         ::testing::ValuesIn(strategies().begin(), strategies().end()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

class Learning : public EveryStrategy {};

TEST_P(Learning, FindsTheOptimumInFewEvaluations) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_LE(best_of(run(*make({.seed = seed}), 60)), 1.05) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Learning,
                         ::testing::ValuesIn(strategies().begin(), strategies().begin() + 3),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(MakeStrategy, SaysWhatIsWrong) {
  const auto device = Replay::make(testing::small_landscape());
  EXPECT_EQ(make_strategy("naturel", device->space()).error().message,
            "there is no strategy \"naturel\"; use one of: natural, evolution, local, random, "
            "exhaustive; did you mean \"natural\"?");
  EXPECT_EQ(make_strategy("random", device->space(), {.start = {120}}).error().message,
            "start 120 is not in the space, which has 120 configurations");
}

}  // namespace
}  // namespace vyre
