#include "vyre/substrate/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "testing/recorded_races.h"
#include "testing/shared_data.h"
#include "testing/soak.h"

namespace vyre {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Random = std::mt19937_64;
using Noise = std::function<double(Random&)>;  // a run time over its median

double normal(Random& random) { return std::normal_distribution<>()(random); }
double uniform(Random& random) { return std::uniform_real_distribution<>()(random); }

double steady(Random& random) { return 1 + 0.01 * normal(random); }
double skewed(Random& random) {
  return std::exp(0.02 * std::pow(std::abs(normal(random)), 2)) / 1.0091;
}
double with_outliers(Random& random) {
  return uniform(random) < 0.05 ? 1 + 3 * uniform(random) : steady(random);
}
double on_two_levels(Random& random) {
  return (uniform(random) < 0.7 ? 1.0 : 1.15) * (1 + 0.001 * normal(random));
}

struct NoiseCase {
  const char* name;
  Noise noise;
  double least = 0.9;  // how often the interval is to hold the median, whatever the samples
};
const NoiseCase kNoises[] = {{"steady", steady},
                             {"skewed", skewed},
                             {"with outliers", with_outliers},
                             {"on two levels", on_two_levels, 0.85}};

RaceOptions without_warm_up() { return {.warm_up_ns = 0}; }

// Candidate i takes times_ns[i] with noise.
struct Runner {
  std::vector<double> times_ns;
  Noise noise = steady;
  Random random = Random(1);

  double operator()(std::uint64_t id) { return times_ns[id] * noise(random); }
};

void finish(Race& race, Runner& run) {
  for (auto round = race.next_round(); !round.empty(); round = race.next_round()) {
    for (const std::uint64_t id : round) EXPECT_TRUE(race.tell(id, run(id)));
  }
}

TEST(Estimate, NothingFromNothing) {
  EXPECT_EQ(estimate({}), Estimate{});
  EXPECT_EQ(relative_spread({}), std::nullopt);
  EXPECT_EQ(relative_spread(std::vector<double>{5}), std::nullopt);
}

TEST(Estimate, IsTheMedianWithinItsInterval) {
  const std::vector<double> samples{9, 1, 2, 3, 100};
  const Estimate e = estimate(samples);
  EXPECT_EQ(e.ns, 3);
  EXPECT_LE(e.low_ns, 1);
  EXPECT_GE(e.high_ns, 100);
  EXPECT_EQ(estimate(std::vector<double>{2, 4}).ns, 3);
}

TEST(Estimate, TheOrderOfSamplesDoesNotMatter) {
  EXPECT_EQ(estimate(std::vector<double>{3, 1, 2, 8, 9, 4}),
            estimate(std::vector<double>{9, 8, 4, 3, 2, 1}));
}

TEST(Estimate, TheIntervalHoldsTheMedianForAllNoises) {
  const std::size_t repeats = vyre::testing::cases(400, 10000);
  for (const NoiseCase& c : kNoises) {
    for (const std::size_t n : {1U, 2U, 3U, 5U, 8U, 16U, 32U}) {
      Random random(n);
      std::size_t held = 0;
      for (std::size_t k = 0; k < repeats; ++k) {
        std::vector<double> samples(n);
        for (double& s : samples) s = c.noise(random);
        const Estimate e = estimate(samples);
        held += e.low_ns <= 1 && 1 <= e.high_ns ? 1U : 0U;
      }
      EXPECT_GE(static_cast<double>(held), c.least * static_cast<double>(repeats))
          << c.name << " " << n;
    }
  }
}

TEST(Estimate, MoreSamplesNarrowTheInterval) {
  Random random(7);
  std::vector<double> samples;
  double last = 10;
  for (const std::size_t n : {1U, 2U, 4U, 8U, 32U, 128U}) {
    while (samples.size() < n) samples.push_back(steady(random));
    const Estimate e = estimate(samples);
    EXPECT_LT(e.high_ns - e.low_ns, last) << n;
    last = e.high_ns - e.low_ns;
  }
}

TEST(Candidates, DefaultThenInvocationsThenMemoryThenId) {
  const Candidate order[] = {{.id = 9, .is_default = true, .invocations = 9, .local_bytes = 9},
                             {.id = 8, .invocations = 1, .local_bytes = 9},
                             {.id = 7, .invocations = 2, .local_bytes = 1},
                             {.id = 1, .invocations = 2, .local_bytes = 2},
                             {.id = 2, .invocations = 2, .local_bytes = 2}};
  for (std::size_t a = 0; a < std::size(order); ++a) {
    for (std::size_t b = 0; b < std::size(order); ++b) {
      EXPECT_EQ(comes_before(order[a], order[b]), a < b) << a << b;
    }
  }
}

TEST(Race, NobodyNothing) {
  Race race;
  EXPECT_THAT(race.next_round(), IsEmpty());
  EXPECT_THAT(race.screen(), IsEmpty());
  EXPECT_EQ(race.outcome(), std::nullopt);
  EXPECT_EQ(race.find(1), nullptr);
}

TEST(Race, RefusesWhatIsNoRunTime) {
  Race race;
  race.add({.id = 1});
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) EXPECT_FALSE(race.tell(1, bad));
  EXPECT_FALSE(race.tell(2, 1));
  race.fail(2);
  EXPECT_EQ(race.outcome(), std::nullopt);
}

TEST(Race, TheFastestWinsUnderAllNoises) {
  for (const NoiseCase& c : kNoises) {
    std::size_t right = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Runner run{{130, 104, 100, 160, 1000, 500, 110, 115}, c.noise, Random(seed)};
      Race race(without_warm_up());
      for (std::uint64_t id = 0; id < 8; ++id) race.add({.id = id});
      finish(race, run);
      right += race.outcome()->winner == 2 ? 1U : 0U;
      EXPECT_LE(race.find(4)->samples_ns.size(), 2U);
    }
    EXPECT_GE(right, 39U) << c.name;
  }
}

TEST(Race, WithinTheNoiseTheCanonicalCandidateWins) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Runner run{
        {100.1, 100.2, 100, 130}, [](Random& r) { return 1 + 0.002 * normal(r); }, Random(seed)};
    Race race(without_warm_up());
    race.add({.id = 0, .invocations = 64});
    race.add({.id = 1, .is_default = true, .invocations = 256});
    race.add({.id = 2, .invocations = 32});
    race.add({.id = 3, .invocations = 1});
    finish(race, run);
    const Outcome outcome = *race.outcome();
    EXPECT_EQ(outcome.winner, 1U);
    EXPECT_THAT(outcome.tied, ElementsAre(1, 2, 0));
    EXPECT_NE(outcome.runner_up, 3U);
    EXPECT_FALSE(outcome.has_drifted);
  }
}

TEST(Race, RoundsGoToAndFro) {
  Race race(without_warm_up());
  for (const std::uint64_t id : {5U, 3U, 4U}) race.add({.id = id});
  EXPECT_THAT(race.next_round(), ElementsAre(3, 4, 5));
  for (const std::uint64_t id : {3U, 4U, 5U}) race.tell(id, 100);
  EXPECT_THAT(race.next_round(), ElementsAre(5, 4, 3));
}

TEST(Race, AFailureNeverWinsAndIsNotAskedForAgain) {
  Race race(without_warm_up());
  race.add({.id = 0});
  race.add({.id = 1});
  race.tell(0, 1);
  race.fail(0);
  EXPECT_THAT(race.next_round(), ElementsAre(1));
  race.tell(1, 100);
  EXPECT_EQ(race.outcome()->winner, 1U);
  EXPECT_EQ(race.find(0)->fate, Fate::failed);
  EXPECT_EQ(race.find(0)->left_at, 1U);
}

// A fast one that turns out to be wrong has driven all others out.
TEST(Race, WhenTheLeaderFailsThoseItHasDroppedRaceAgain) {
  Race race(without_warm_up());
  for (const std::uint64_t id : {0U, 1U, 2U}) race.add({.id = id});
  for (int k = 0; k < 3; ++k) {
    race.tell(0, 100);
    race.tell(1, 10);
    race.tell(2, 1000);
    race.screen();
  }
  ASSERT_EQ(race.find(0)->fate, Fate::dropped);
  race.fail(1);
  race.next_round();
  ASSERT_TRUE(race.outcome());
  EXPECT_EQ(race.outcome()->winner, 0U);
  EXPECT_EQ(race.find(2)->fate, Fate::dropped);
}

TEST(Race, ScreeningDropsAClearLoserAfterOneRun) {
  Race race(without_warm_up());
  race.add({.id = 0});
  while (!race.screen().empty()) race.tell(0, 100);
  EXPECT_EQ(race.find(0)->samples_ns.size(), 3U);
  race.add({.id = 1});
  EXPECT_THAT(race.screen(), ElementsAre(1));
  race.tell(1, 900);
  EXPECT_THAT(race.screen(), IsEmpty());
  EXPECT_EQ(race.find(1)->fate, Fate::dropped);
  race.add({.id = 2});
  for (int k = 0; k < 2; ++k) race.tell(race.screen().front(), 150);
  EXPECT_THAT(race.screen(), IsEmpty());
  EXPECT_EQ(race.find(2)->fate, Fate::dropped);
}

TEST(Race, NobodyIsDroppedBeforeItsFewestSamples) {
  Race race({.fewest_samples = 3});
  Runner run{{1e9, 100e9, 1e6}};  // the last is cold at first
  for (const std::uint64_t id : {0U, 1U, 2U}) {
    race.add({.id = id});
    for (auto round = race.screen(); !round.empty(); round = race.screen()) {
      for (const std::uint64_t next : round) race.tell(next, run(next));
    }
    EXPECT_GE(race.find(id)->samples_ns.size(), 3U);
  }
  EXPECT_EQ(race.find(1)->fate, Fate::dropped);
}

TEST(Race, RunsOfAColdDeviceDoNotCount) {
  Race race({.warm_up_ns = 10e6});
  race.add({.id = 0});
  for (int k = 0; k < 20; ++k) race.tell(0, 1.5e6);
  race.add({.id = 1});
  for (const double cold_ns : {4e6, 3e6, 2e6}) {
    EXPECT_THAT(race.screen(), ElementsAre(1));
    race.tell(1, cold_ns);
  }
  EXPECT_EQ(race.find(1)->warm_up_samples, 3U);
  for (int k = 0; k < 3; ++k) race.tell(1, 1e6);
  EXPECT_EQ(race.outcome()->winner, 1U);
  EXPECT_EQ(race.find(1)->elapsed.ns, 1e6);
}

TEST(Race, NotEvenWarmIsHopeless) {
  Race race({.warm_up_ns = 1e9});
  race.add({.id = 0});
  for (int k = 0; k < 10; ++k) race.tell(0, 1e6);
  race.add({.id = 1});
  race.tell(1, 50e6);
  EXPECT_THAT(race.screen(), IsEmpty());
  EXPECT_EQ(race.find(1)->fate, Fate::dropped);
}

TEST(Race, NamesDrift) {
  Race race(without_warm_up());
  race.add({.id = 0});
  for (int k = 0; k < 8; ++k) race.tell(0, 100 + 0.01 * k);
  for (int k = 0; k < 8; ++k) race.tell(0, 120 + 0.01 * k);
  EXPECT_NEAR(*race.outcome()->drift, 1.2, 0.01);
  EXPECT_TRUE(race.outcome()->has_drifted);
}

// The device becomes half as fast after the first samples.
struct SlowedRace {
  Race race{without_warm_up()};

  SlowedRace() {
    for (const std::uint64_t id : {0U, 1U}) race.add({.id = id});
    for (int k = 0; k < 3; ++k) race.tell(0, 100 + k);
    for (int k = 0; k < 3; ++k) race.tell(1, 130 + k);
    EXPECT_THAT(race.next_round(), IsEmpty());
    EXPECT_EQ(race.find(1)->fate, Fate::dropped);
    for (int k = 0; k < 6; ++k) race.tell(0, 200 + k);
  }
};

TEST(Race, ADroppedCandidateThatNowLooksFasterRunsAgain) {
  SlowedRace slowed;
  Race& race = slowed.race;
  for (auto round = race.next_round(); !round.empty(); round = race.next_round()) {
    for (const std::uint64_t id : round) race.tell(id, id == 0 ? 203 : 265);
  }
  EXPECT_GT(race.find(1)->samples_ns.size(), 3U);
  EXPECT_EQ(race.find(1)->elapsed.ns, 265);
  EXPECT_EQ(race.outcome()->winner, 0U);
  EXPECT_EQ(race.outcome()->runner_up, 1U);
}

TEST(Race, AStaleRunnerUpIsDriftAndNoRunnerUp) {
  const Race race = SlowedRace().race;
  const Outcome outcome = *race.outcome();
  EXPECT_EQ(outcome.winner, 0U);
  EXPECT_EQ(outcome.runner_up, std::nullopt);
  EXPECT_THAT(outcome.tied, ElementsAre(0));
  EXPECT_TRUE(outcome.has_drifted);
  EXPECT_GT(*outcome.drift, 1.5);
}

void expect_consistent(const Race& race) {
  const auto outcome = race.outcome();
  if (!outcome) return;
  EXPECT_EQ(outcome->tied.front(), outcome->winner);
  EXPECT_TRUE(!outcome->has_drifted || outcome->drift);
  if (!outcome->runner_up) return;
  EXPECT_NE(*outcome->runner_up, outcome->winner);
  const bool is_tied = std::ranges::count(outcome->tied, *outcome->runner_up) > 0;
  EXPECT_TRUE(is_tied || race.find(*outcome->runner_up)->elapsed.ns >= outcome->elapsed.ns);
}

// Whatever happens, and whenever it is asked: screening and deciding in turn, on a device whose
// speed changes at any moment, with failures and with few samples.
TEST(Race, TheRunnerUpIsNeverFasterThanTheWinnerUnlessTied) {
  for (std::uint64_t seed = 0; seed < vyre::testing::cases(300, 20000); ++seed) {
    Random random(seed);
    Race race({.most_samples = static_cast<std::uint32_t>(3 + 30 * uniform(random)),
               .mean_samples = 1 + 3 * uniform(random),
               .warm_up_ns = uniform(random) < 0.5 ? 0 : 300.0});
    const NoiseCase& noise = kNoises[seed % std::size(kNoises)];
    std::vector<double> times_ns;
    double slowness = 1;
    const auto run = [&](std::uint64_t id) {
      if (uniform(random) < 0.05) slowness = 1 + uniform(random);
      if (uniform(random) < 0.005) return race.fail(id);
      EXPECT_EQ(race.find(id)->fate, Fate::racing);
      EXPECT_EQ(race.find(id)->left_at, 0U);
      race.tell(id, times_ns[id] * slowness * noise.noise(random));
      expect_consistent(race);
    };
    const std::uint64_t count = 2 + random() % 20;
    for (std::uint64_t id = 0; id < count; ++id) {
      times_ns.push_back(100 * (1 + uniform(random)));
      race.add({.id = id, .is_default = id == 0, .invocations = random() % 3});
      for (auto round = race.screen(); !round.empty(); round = race.screen()) {
        for (const std::uint64_t next : round) run(next);
      }
    }
    for (auto round = race.next_round(); !round.empty(); round = race.next_round()) {
      for (const std::uint64_t next : round) run(next);
    }
    expect_consistent(race);
  }
}

TEST(Race, EndsWhenItsSamplesAreSpent) {
  Runner run{std::vector<double>(20, 100.0), [](Random& r) { return 1 + 0.05 * normal(r); }};
  Race race({.most_samples = 16, .mean_samples = 2, .indifference = 0, .warm_up_ns = 0});
  for (std::uint64_t id = 0; id < 20; ++id) race.add({.id = id});
  finish(race, run);
  EXPECT_LE(race.outcome()->samples, 20U * 2 + 2 * 16 + 5);
}

// Every recording, judged as bench/measure_bench.cc does with more races.
TEST(RecordedRaces, FindTheFastestWithFewSamples) {
  const auto files = vyre::testing::shared_files(VYRE_SOURCE_DIR, "search/t4");
  if (files.empty()) GTEST_SKIP() << "the shared recordings are not beside the checkout";
  for (std::size_t k = 0; k < files.size(); k += vyre::testing::soaking() ? 1 : 3) {
    const auto recording = recording::read_recording(files[k]);
    ASSERT_TRUE(recording);
    const auto runs = vyre::testing::recorded_runs(files[k].filename(), *recording);
    const auto figures = vyre::testing::race_recorded(
        runs, without_warm_up(), vyre::testing::RunOrder::shuffled, vyre::testing::cases(40, 1000));
    EXPECT_GE(figures.within_noise, 0.95) << runs.name;
    EXPECT_GE(figures.agreement, 0.85) << runs.name;
    EXPECT_LE(figures.samples, 0.6) << runs.name;
  }
}

}  // namespace
}  // namespace vyre
