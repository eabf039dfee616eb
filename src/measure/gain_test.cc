// Gains on simulated devices whose speed changes while they are measured.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "testing/soak.h"
#include "vyre/substrate/estimate.h"

namespace vyre {
namespace {

using Random = std::mt19937_64;

// A device that is up to twice as slow at times. Each launch takes one step of its time.
struct DriftingDevice {
  Random random;
  double noise = 0.05;
  std::size_t now = 0;
  std::size_t next_change = 0;
  double slowness = 1;
  double ramp = 0;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random);
  }

  // Every 5 to 25 launches the speed jumps to another level, or moves there bit by bit.
  void pass_time() {
    if (now++ >= next_change) {
      const auto lasts = static_cast<std::size_t>(uniform(5, 25));
      next_change = now + lasts;
      const double level = uniform(1, 2);
      const bool is_step = uniform(0, 1) < 0.5;
      ramp = is_step ? 0 : (level - slowness) / static_cast<double>(lasts);
      if (is_step) slowness = level;
    }
    slowness += ramp;
  }

  double run(double true_ns) {
    pass_time();
    const double outlier = uniform(0, 1) < 0.05 ? uniform(1, 4) : 1;
    return true_ns * slowness * outlier * std::exp(noise * std::normal_distribution<>()(random));
  }
};

struct Pairs {
  std::vector<double> default_ns;
  std::vector<double> winner_ns;
};

Pairs interleave(DriftingDevice& device, double times, std::size_t count) {
  Pairs pairs;
  for (std::size_t k = 0; k < count; ++k) {
    const bool is_winner_first = k % 2 == 1;
    if (is_winner_first) pairs.winner_ns.push_back(device.run(1e6));
    pairs.default_ns.push_back(device.run(times * 1e6));
    if (!is_winner_first) pairs.winner_ns.push_back(device.run(1e6));
  }
  return pairs;
}

TEST(Gain, NothingFromNothing) {
  EXPECT_EQ(gain_of({}, {}), Gain{});
  EXPECT_EQ(gain_of(std::vector<double>{5}, {}), Gain{});
  EXPECT_EQ(
      gain_of(std::vector<double>{0, -1, std::nan(""), HUGE_VAL}, std::vector<double>{1, 1, 1, 1}),
      Gain{});
}

TEST(Gain, IsTheMedianOfTheRatiosOfPairs) {
  // The device became ten times slower after the second pair.
  const Gain gain = gain_of(std::vector<double>{20, 40, 200, 220, 500},
                            std::vector<double>{10, 10, 100, 110, 100});
  EXPECT_NEAR(gain.times, 2, 1e-9);
  EXPECT_NEAR(gain.low, 2 / 1.04, 0.1);
  EXPECT_GE(gain.high, 4.999);
  EXPECT_EQ(gain.pairs, 5U);
}

TEST(Gain, AnIncompletePairIsLeftOut) {
  const Gain gain = gain_of(std::vector<double>{30, 30, 30}, std::vector<double>{10, 10});
  EXPECT_EQ(gain.pairs, 2U);
  EXPECT_NEAR(gain.times, 3, 1e-9);
}

TEST(Gain, FewPairsAreUncertain) {
  double last = 100;
  for (const std::size_t n : {1U, 2U, 4U, 8U, 32U}) {
    const Gain gain = gain_of(std::vector<double>(n, 20), std::vector<double>(n, 10));
    EXPECT_NEAR(gain.times, 2, 1e-9);
    EXPECT_LT(gain.low, 2);
    EXPECT_GT(gain.high, 2);
    EXPECT_LT(gain.high - gain.low, last) << n;
    last = gain.high - gain.low;
  }
}

TEST(Gain, SwappedSamplesGiveTheInverse) {
  DriftingDevice device{.random = Random(3)};
  const Pairs pairs = interleave(device, 3, 9);
  const Gain gain = gain_of(pairs.default_ns, pairs.winner_ns);
  const Gain inverse = gain_of(pairs.winner_ns, pairs.default_ns);
  EXPECT_NEAR(inverse.times, 1 / gain.times, 1e-12);
  EXPECT_NEAR(inverse.low, 1 / gain.high, 1e-12);
  EXPECT_NEAR(inverse.high, 1 / gain.low, 1e-12);
}

TEST(Gain, TheIntervalHoldsTheTruthOnADeviceThatDrifts) {
  const std::size_t campaigns = vyre::testing::cases(100, 10000);
  for (const double noise : {0.002, 0.02, 0.1, 0.3}) {
    for (const std::size_t pairs : {1U, 2U, 3U, 4U, 5U, 7U, 10U, 16U, 32U}) {
      std::size_t held = 0;
      for (std::size_t k = 0; k < campaigns; ++k) {
        DriftingDevice device{.random = Random(1000 * pairs + k), .noise = noise};
        const double truth = device.uniform(0.8, 15);
        const Pairs runs = interleave(device, truth, pairs);
        const Gain gain = gain_of(runs.default_ns, runs.winner_ns);
        held += gain.low <= truth && truth <= gain.high ? 1U : 0U;
      }
      EXPECT_GE(static_cast<double>(held), 0.9 * static_cast<double>(campaigns))
          << "noise " << noise << ", pairs " << pairs;
    }
  }
}

// A machine on whose cores up to two other processes run, for 0.3 to 2.5 s each time. They slow the
// default and the winner by different factors.
struct LoadedMachine {
  Random random;
  double default_share = 0;  // of the load that slows it
  double winner_share = 0;
  double now = 0;
  double next_change = 0;
  int load = 0;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random);
  }

  void pass_time() {
    if (now >= next_change) {
      load = static_cast<int>(uniform(0, 3));
      next_change = now + uniform(0.3, 2.5);
    }
    now += uniform(0.01, 0.03);
  }

  double run(double true_ns, double share) {
    pass_time();
    const double slow = 1 + share * load * uniform(0.4, 0.67);
    const double noise = 0.02 + 0.04 * load;
    return true_ns * slow * std::exp(noise * std::normal_distribution<>()(random));
  }
};

struct LoadedCampaign {
  double truth = 1;
  Gain gain = {};
  double slowdown = 1;
};

// A search of three seconds, which samples the default at its start and now and then and the winner
// from some time on; then the pairs.
LoadedCampaign run_loaded(std::uint64_t seed, std::size_t pairs) {
  LoadedMachine machine{.random = Random(seed)};
  machine.default_share = machine.uniform(0, 1);
  machine.winner_share = machine.uniform(0, 1);
  LoadedCampaign out{.truth = machine.uniform(1, 6)};
  const double found = machine.uniform(0.3, 3);
  std::vector<double> others_default;
  std::vector<double> others_winner;
  const auto default_run = [&] { return machine.run(out.truth, machine.default_share); };
  const auto winner_run = [&] { return machine.run(1, machine.winner_share); };
  for (int k = 0; k < 3; ++k) others_default.push_back(default_run());
  while (machine.now < 3.2) {
    machine.pass_time();
    if (machine.uniform(0, 1) < 0.025) others_default.push_back(default_run());
    const bool is_known = machine.now > found;
    if (is_known && (others_winner.size() < 3 || machine.uniform(0, 1) < 0.06)) {
      others_winner.push_back(winner_run());
    }
  }
  Pairs paired;
  for (std::size_t k = 0; k < pairs; ++k) {
    if (k % 2 == 1) paired.winner_ns.push_back(winner_run());
    paired.default_ns.push_back(default_run());
    if (k % 2 == 0) paired.winner_ns.push_back(winner_run());
  }
  out.gain = gain_of(paired.default_ns, paired.winner_ns);
  out.slowdown = std::max(slowdown_of(paired.default_ns, others_default),
                          slowdown_of(paired.winner_ns, others_winner));
  return out;
}

bool holds(const Gain& gain, double truth) { return gain.low <= truth && truth <= gain.high; }

TEST(Gain, TheIntervalHoldsTheTruthOfAnIdleMachineUnderChangingLoad) {
  const std::size_t campaigns = vyre::testing::cases(200, 10000);
  for (const std::size_t pairs : {3U, 5U, 15U}) {
    double pairs_alone = 0;
    double with_load = 0;
    for (std::size_t k = 0; k < campaigns; ++k) {
      const LoadedCampaign campaign = run_loaded(1000 * pairs + k, pairs);
      pairs_alone += holds(campaign.gain, campaign.truth) ? 1 : 0;
      with_load += holds(under_load(campaign.gain, campaign.slowdown), campaign.truth) ? 1 : 0;
    }
    EXPECT_GE(with_load, 0.9 * static_cast<double>(campaigns)) << pairs;
    EXPECT_LT(pairs_alone, 0.9 * static_cast<double>(campaigns)) << pairs;
  }
}

TEST(Gain, AQuietMachineChangesNoInterval) {
  const Gain gain{.times = 2, .low = 1.9, .high = 2.1, .pairs = 5};
  EXPECT_EQ(under_load(gain, 1.05), gain);
  EXPECT_EQ(under_load(Gain{}, 3), Gain{});
  EXPECT_EQ(slowdown_of({}, {}), 1);
  EXPECT_EQ(slowdown_of(std::vector<double>{4, 6, 5}, std::vector<double>{2.5, 7}), 2);
}

// What the interval of pairs is for: medians of early and of late runs cannot give it.
TEST(Gain, TheRatioOfEarlyAndLateRunsDoesNotHold) {
  std::size_t held = 0;
  for (std::size_t k = 0; k < 100; ++k) {
    DriftingDevice device{.random = Random(k), .noise = 0.02};
    std::vector<double> early;
    std::vector<double> late;
    for (int run = 0; run < 8; ++run) early.push_back(device.run(3e6));
    for (int run = 0; run < 60; ++run) device.pass_time();
    for (int run = 0; run < 8; ++run) late.push_back(device.run(1e6));
    const Estimate slow = estimate(early);
    const Estimate fast = estimate(late);
    held += slow.low_ns / fast.high_ns <= 3 && 3 <= slow.high_ns / fast.low_ns ? 1U : 0U;
  }
  EXPECT_LT(held, 90U);
}

}  // namespace
}  // namespace vyre
