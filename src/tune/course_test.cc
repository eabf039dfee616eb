// What winner and default side by side decide.

#include "tune/course.h"

#include <gtest/gtest.h>

#include "testing/landscapes.h"

namespace vyre {
namespace {

constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kWinner = 1;

// Of a race that kWinner has won, and of rounds with these times, again and again.
CampaignReport concluded(std::span<const double> default_ns, std::span<const double> winner_ns,
                         std::size_t rounds = Pairs::kMost, bool shares_cores = false) {
  Pairs pairs;
  pairs.choose({kDefault, kWinner});
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::size_t k = round % default_ns.size();
    for (int run = 0; run < 2; ++run) {
      pairs.tell(pairs.next() == kDefault ? default_ns[k] : winner_ns[k]);
    }
  }
  CampaignReport report;
  report.best = report.outcome.winner = kWinner;
  report.elapsed = {.ns = 50, .low_ns = 50, .high_ns = 50};
  report.standings = {{.candidate = {.id = kDefault}, .samples_ns = {80, 100}},
                      {.candidate = {.id = kWinner}, .samples_ns = {50}}};
  const Replay device = *Replay::make(testing::small_landscape());
  conclude_pairs({.name = "small", .identity = "", .space = device.space()}, pairs, shares_cores,
                 report);
  return report;
}

TEST(ConcludePairs, AWinnerThatIsFasterInEveryRoundWins) {
  const auto report = concluded({{100, 104, 98, 101, 102}}, {{50, 51, 50, 49, 52}});
  EXPECT_EQ(report.best, kWinner);
  EXPECT_GT(report.gained.low, 1.8);
  EXPECT_LT(report.gained.high, 2.2);
}

// The default ran in 80 ns at another time, so up to a quarter of its time now may be others'.
TEST(ConcludePairs, ALoadOnSharedCoresWidensTheInterval) {
  const std::vector<double> standard{100, 104, 98, 101, 102};
  const std::vector<double> winner{50, 51, 50, 49, 52};
  const Gain quiet = concluded(standard, winner).gained;
  const Gain loaded = concluded(standard, winner, Pairs::kMost, true).gained;
  EXPECT_EQ(loaded.times, quiet.times);
  EXPECT_NEAR(loaded.low, quiet.low / (101.0 / 80), 1e-9);
  EXPECT_NEAR(loaded.high, quiet.high * (101.0 / 80), 1e-9);
}

TEST(ConcludePairs, ALoadDoesNotUndoTheRace) {
  const auto report =
      concluded({{100, 104, 98, 101, 102}}, {{90, 91, 90, 89, 92}}, Pairs::kMost, true);
  EXPECT_EQ(report.best, kWinner);
  EXPECT_LT(report.gained.low, 1);
}

TEST(ConcludePairs, WithinTheNoiseTheDefaultStays) {
  const auto report = concluded({{100, 104, 98, 101, 102}}, {{99, 90, 105, 97, 101}});
  EXPECT_EQ(report.best, kDefault);
  EXPECT_EQ(report.gained, Gain());
  EXPECT_EQ(report.elapsed.ns, report.default_elapsed.ns);
  EXPECT_EQ(report.outcome.winner, kDefault);
  EXPECT_EQ(report.outcome.tied, (std::vector<std::uint64_t>{kDefault, kWinner}));
  EXPECT_EQ(report.outcome.runner_up, kWinner);
}

TEST(ConcludePairs, AFewRoundsDoNotUndoTheRace) {
  const auto report = concluded({{100, 104, 98, 101, 102}}, {{99, 90, 105, 97, 101}}, 5);
  EXPECT_EQ(report.best, kWinner);
  EXPECT_LT(report.gained.low, 1);
}

TEST(ConcludePairs, AWinnerThatIsSlowerIsNotTied) {
  const auto report = concluded({{100, 104, 98, 101, 102}}, {{200, 208, 196, 202, 204}});
  EXPECT_EQ(report.best, kDefault);
  EXPECT_EQ(report.outcome.tied, std::vector<std::uint64_t>{kDefault});
}

}  // namespace
}  // namespace vyre
