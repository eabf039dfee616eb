// The natural search follows siblings that agree with its measurements, and forgets those that do
// not.

#include "tune/hints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace vyre {
namespace {

// 4 x 5 x 4 x 5 x 3 = 1200 configurations.
recording::Recording recording(const std::function<double(const space::Point&)>& time_ms) {
  recording::Recording out;
  const std::vector<std::uint32_t> counts{4, 5, 4, 5, 3};
  for (std::size_t p = 0; p < counts.size(); ++p) {
    space::Parameter parameter{"p" + std::to_string(p), {}};
    for (std::uint32_t v = 0; v < counts[p]; ++v) {
      parameter.values.emplace_back(std::int64_t{1} << v);
    }
    out.parameters.push_back(std::move(parameter));
  }
  for (std::uint32_t i = 0; i < 1200; ++i) {
    recording::Row row;
    std::uint32_t rest = i;
    for (const std::uint32_t count : counts) {
      row.point.push_back(rest % count);
      rest /= count;
    }
    row.time_ms = time_ms(row.point);
    out.rows.push_back(std::move(row));
  }
  return out;
}

// Least, 1, at one corner far from the middle, with a hollow elsewhere that is nearly as good.
double here(const space::Point& p) {
  const double far = std::pow(p[0] - 3.0, 2) + std::pow(p[1] - 0.0, 2) + std::pow(p[2] - 3.0, 2) +
                     std::pow(p[3] - 4.0, 2) + 0.5 * p[4];
  const double near =
      0.4 + std::pow(p[0] - 1.0, 2) + std::pow(p[1] - 3.0, 2) + std::pow(p[3] - 1.0, 2) + p[4];
  return std::exp(0.3 * std::min(far, near));
}

double alike(const space::Point& p) {
  return 7 * here(p) * (1 + 0.1 * std::sin(p[0] + 3.0 * p[1]));
}
double opposite(const space::Point& p) { return 100 / here(p); }

class Seeded : public ::testing::Test {
 protected:
  std::vector<std::uint64_t> order(std::uint64_t seed, std::size_t most,
                                   std::vector<Hint> hints) const {
    auto strategy = make_strategy("natural", device_.space(), {.seed = seed, .hints = hints});
    EXPECT_TRUE(strategy) << strategy.error().message;
    std::vector<std::uint64_t> out;
    while (out.size() < most) {
      out.push_back((*strategy)->ask(1).at(0));
      (*strategy)->tell(out.back(), {Status::ok, *device_.recording().rows[out.back()].time_ms});
    }
    return out;
  }

  // Mean over runs of the best time found; the optimum is 1.
  double found(std::size_t most, const std::vector<Hint>& hints) const {
    constexpr std::uint64_t kRuns = 40;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
      double best = std::numeric_limits<double>::infinity();
      for (const std::uint64_t index : order(seed, most, hints)) {
        best = std::min(best, *device_.recording().rows[index].time_ms);
      }
      sum += best;
    }
    return sum / kRuns;
  }

  Hint hint(double (*time_ms)(const space::Point&)) const {
    return hint_of(device_.space(), recording(time_ms));
  }

  Replay device_ = *Replay::make(recording(here));
};

TEST_F(Seeded, AnAgreeingSiblingHelpsAtOnce) {
  EXPECT_GT(found(5, {}), 1.1) << "or there is nothing to help with";
  EXPECT_LT(found(5, {hint(alike)}), 1.05);
  EXPECT_LT(found(5, {hint(opposite), hint(alike)}), 1.1);
}

TEST_F(Seeded, AnOppositeSiblingIsForgotten) {
  EXPECT_LT(found(40, {hint(opposite)}), 1.02 * found(40, {}));
}

TEST_F(Seeded, IsDeterministic) {
  const std::vector<Hint> hints{hint(alike), hint(opposite)};
  EXPECT_EQ(order(3, 15, hints), order(3, 15, hints));
}

TEST_F(Seeded, ADecisionIsAHintToo) {
  const Replay& device = device_;
  std::uint64_t optimum = 0;
  while (*device.recording().rows[optimum].time_ms > 1) ++optimum;
  const auto neighbours = device.space().hamming_neighbours(device.space().at(optimum));
  const Decision decision{
      .config = device.space().config_at(neighbours[0]),
      .elapsed = {.ns = 100},
      .runner_up = RunnerUp{device.space().config_at(neighbours[1]), {.ns = 110}}};
  const Hint hint = hint_of(device.space(), decision);
  ASSERT_EQ(hint.times.size(), 2U);
  EXPECT_EQ(hint.times[0].index, neighbours[0]);
  EXPECT_DOUBLE_EQ(hint.times[1].time / hint.times[0].time, 1.1);
  EXPECT_EQ(order(0, 1, {hint}).front(), neighbours[0]);
  EXPECT_LT(found(10, {hint}), found(10, {}) + 1e-9);
}

TEST_F(Seeded, WhatIsNotValidHereIsLeftOut) {
  recording::Recording other = recording(alike);
  other.parameters[0].values[0] = std::int64_t{3};  // in a quarter of the rows
  other.rows[1].time_ms.reset();
  other.rows[1].status = Status::compile;
  EXPECT_EQ(hint_of(device_.space(), other).times.size(), 899U);
  other.parameters[1].name = "q";
  EXPECT_TRUE(hint_of(device_.space(), other).times.empty());
  EXPECT_EQ(hint_of(device_.space(), Decision{.config = {{"q", 1}}}).times.size(), 0U);
}

TEST_F(Seeded, SaysWhatIsWrongWithAHint) {
  const auto error = [&](Hint::Time time) {
    const auto made = make_strategy("natural", device_.space(), {.hints = {{{time}}}});
    return made ? "" : made.error().message;
  };
  EXPECT_EQ(error({1200, 1}),
            "a hint is about configuration 1200; the space has 1200 configurations");
  EXPECT_EQ(error({3, 0}), "a hint gives configuration 3 the time 0; times are above 0");
  EXPECT_EQ(error({3, std::numeric_limits<double>::infinity()}),
            "a hint gives configuration 3 the time inf; times are above 0");
}

}  // namespace
}  // namespace vyre
