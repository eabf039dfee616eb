#include "search/score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/landscapes.h"

namespace vyre {
namespace {

recording::Recording recording_of(const std::vector<std::optional<double>>& times) {
  recording::Recording out;
  out.parameters.push_back({"i", {}});
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    out.parameters[0].values.emplace_back(std::int64_t{i});
    recording::Row row{.point = {i}, .time_ms = times[i]};
    if (!times[i]) row.status = Status::runtime;
    out.rows.push_back(row);
  }
  return out;
}

// Worked out by hand: four configurations, one of which fails and so counts as 4.
TEST(Yardstick, ExpectsWhatRandomSearchFinds) {
  const auto y = Yardstick::make(recording_of({2, 4, 1, std::nullopt}), 3);
  ASSERT_TRUE(y);
  EXPECT_EQ(y->optimum(), 1);
  EXPECT_EQ(y->worst(), 4);
  EXPECT_EQ(y->horizon(), 3U);
  EXPECT_DOUBLE_EQ(y->expected_best(1), (1 + 2 + 4 + 4) / 4.0);
  // Pairs: three with 1, two with 2 as their best, one with 4.
  EXPECT_DOUBLE_EQ(y->expected_best(2), (3 * 1 + 2 * 2 + 4) / 6.0);
  EXPECT_DOUBLE_EQ(y->expected_best(3), (3 * 1 + 2) / 4.0);
}

// Of the six pairs three have 1 as their best, two have 2, one has 4.
TEST(Yardstick, KnowsTheQuantilesOfRandomSearch) {
  const auto y = Yardstick::make(recording_of({2, 4, 1, std::nullopt}), 3);
  const struct {
    std::uint64_t evaluations;
    double share, best;
  } cases[] = {{1, 0.25, 1}, {1, 0.26, 2}, {1, 0.5, 2}, {1, 0.6, 4}, {1, 1, 4}, {2, 0.5, 1},
               {2, 0.6, 2},  {2, 0.9, 4},  {3, 0.7, 1}, {3, 0.8, 2}, {3, 1, 2}, {4, 1, 1}};
  for (const auto& [evaluations, share, best] : cases) {
    EXPECT_EQ(y->random_best(evaluations, share), best) << evaluations << " " << share;
  }
}

TEST(Yardstick, ScoresRuns) {
  const auto y = Yardstick::make(recording_of({2, 4, 1, std::nullopt}), 2);
  EXPECT_DOUBLE_EQ(y->score({.seed = 0, .values = {1.0, 2.0}}), 1.0);
  const double first = (2.75 - 4) / 1.75;
  const double second = (11.0 / 6 - 2) / (5.0 / 6);
  EXPECT_DOUBLE_EQ(y->score({.seed = 0, .values = {std::nullopt, 2.0}}), (first + second) / 2);
  EXPECT_DOUBLE_EQ(y->fraction({.seed = 0, .values = {std::nullopt, 2.0}}, 1), 0.25);
  EXPECT_DOUBLE_EQ(y->fraction({.seed = 0, .values = {std::nullopt, 2.0}}, 400), 0.5);
  EXPECT_EQ(y->fractions({.seed = 0, .values = {std::nullopt, 2.0}}, 3),
            (std::vector{0.25, 0.5, 0.5}));
}

TEST(Yardstick, NeedsAValidConfiguration) {
  const auto y = Yardstick::make(recording_of({std::nullopt}), 2);
  ASSERT_FALSE(y);
  EXPECT_EQ(y.error().message, "the recording has no valid configuration: nothing to find");
}

TEST(Summaries, AverageOverRunsAndSpaces) {
  const auto y = Yardstick::make(recording_of({2, 4, 1, std::nullopt}), 1);
  const std::vector<vyre::Run> runs{{.seed = 0, .values = {1.0}, .own_seconds = 0.001},
                                    {.seed = 1, .values = {4.0}, .own_seconds = 0.003}};
  const Summary s = summarise(*y, runs);
  EXPECT_EQ(s.runs, 2U);
  const double bad = (2.75 - 4) / 1.75;
  EXPECT_DOUBLE_EQ(s.score, (1 + bad) / 2);
  EXPECT_NEAR(s.score_error, std::fabs(1 - bad) / 2, 1e-12);
  EXPECT_DOUBLE_EQ(s.fraction[0], 0.5);
  EXPECT_DOUBLE_EQ(s.optimum_share[0], 0.5);
  EXPECT_DOUBLE_EQ(s.own_ms_per_evaluation, 2);
  const Summary both = over_spaces(std::vector<Summary>{s, s});
  EXPECT_EQ(both.runs, 4U);
  EXPECT_DOUBLE_EQ(both.score, s.score);
  EXPECT_DOUBLE_EQ(both.fraction[0], 0.5);
}

TEST(RunReplay, SpendsItsBudgetOnTheSimulatedClock) {
  const auto device = Replay::make(testing::small_landscape());
  const auto run = run_replay(*device, "exhaustive", {}, 12);
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->values.size(), 12U);
  EXPECT_FALSE(run->values[9]) << "every tenth fails";
  double ms = 12 * 50;
  for (const auto& v : run->values) ms += 2 * v.value_or(0);
  EXPECT_NEAR(run->simulated_seconds, ms / 1000, 1e-9);
  EXPECT_EQ(run_replay(*device, "random", {}, 1000)->values.size(), 120U);
}

TEST(Replay, GivesRecordedRunsInTurn) {
  recording::Recording recording = recording_of({2.0, std::nullopt});
  recording.rows[0].run_ms = {1.0, 3.0};
  recording.rows[0].compile_ms = 10;
  auto device = Replay::make(recording);
  ASSERT_TRUE(device) << device.error().message;
  const auto result = [&](Step step, std::uint64_t index) {
    return answer_of(*device, {step, index})->result;
  };
  EXPECT_EQ(result(Step::admit, 0).status, Status::ok);
  EXPECT_EQ(result(Step::sample, 0).time_ms, 1.0);
  EXPECT_EQ(result(Step::race, 0).time_ms, 3.0);
  EXPECT_EQ(result(Step::sample, 0).time_ms, 1.0);
  EXPECT_DOUBLE_EQ(device->now_seconds(), 0.015);
  EXPECT_EQ(result(Step::admit, 1).status, Status::runtime);
  EXPECT_EQ(device->start({Step::sample, 2}).error().message,
            "configuration 2 is not in the recording, which has 2");
}

// Two compile at once, and end in the order of their times; runs are timed one after the other.
TEST(Replay, HasWorkersThatWorkAtTheSameTime) {
  recording::Recording recording = recording_of({4.0, 2.0, 1.0});
  recording.rows[0].compile_ms = 30;
  recording.rows[1].compile_ms = 10;
  recording.rows[2].compile_ms = 100;
  auto device = Replay::make(recording, 2);
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ(device->workers(), 2U);
  const auto next_is = [&](Step step, std::uint64_t index, double ms) {
    const auto answer = *device->next();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->work, (Work{step, index}));
    EXPECT_DOUBLE_EQ(answer->seconds * 1000, ms);
  };
  ASSERT_TRUE(device->start({Step::admit, 0}));
  ASSERT_TRUE(device->start({Step::admit, 1}));
  next_is(Step::admit, 1, 10);
  ASSERT_TRUE(device->start({Step::sample, 1}));
  ASSERT_TRUE(device->start({Step::sample, 1}));
  next_is(Step::sample, 1, 12);
  next_is(Step::sample, 1, 14);
  next_is(Step::admit, 0, 30);
  ASSERT_TRUE(device->start({Step::admit, 2}));
  EXPECT_FALSE(*device->next(0.1)) << "it ends at 130 ms";
  EXPECT_DOUBLE_EQ(device->now_seconds(), 0.1);
  device->give_up();
  EXPECT_FALSE(*device->next()) << "nothing is under way";
}

}  // namespace
}  // namespace vyre
