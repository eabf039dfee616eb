// Effects of parameters on synthetic landscapes whose truth is known.

#include "report/effects.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace vyre::report {
namespace {

using Landscape = std::function<double(const space::Point&)>;

Chapter chapter_over(const std::vector<std::size_t>& sizes) {
  Chapter out{.title = "synthetic"};
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    space::Parameter parameter{.name = std::string(1, static_cast<char>('a' + p)), .values = {}};
    for (std::size_t v = 0; v < sizes[p]; ++v) {
      parameter.values.emplace_back(static_cast<std::int64_t>(v));
    }
    out.parameters.push_back(std::move(parameter));
  }
  return out;
}

void measure(Chapter& chapter, const space::Point& point, double ms) {
  chapter.entrants.push_back({.index = chapter.entrants.size(),
                              .point = point,
                              .ending = Ending::measured,
                              .elapsed = {ms * 1e6, ms * 1e6, ms * 1e6}});
}

// All points, or those that `keeps` keeps.
Chapter measured(const std::vector<std::size_t>& sizes, const Landscape& ms,
                 const std::function<bool(const space::Point&)>& keeps = {}) {
  Chapter out = chapter_over(sizes);
  space::Point point(sizes.size(), 0);
  for (;;) {
    if (!keeps || keeps(point)) measure(out, point, ms(point));
    std::size_t p = 0;
    while (p < sizes.size() && ++point[p] == sizes[p]) point[p++] = 0;
    if (p == sizes.size()) return out;
  }
}

const ParameterEffect& effect_of(const Effects& effects, std::size_t parameter) {
  return *std::ranges::find(effects.parameters, parameter, &ParameterEffect::parameter);
}

// b doubles the time, a makes it 1, 2 or 8 times as long, c does nothing.
double product(const space::Point& p) {
  return std::array{1.0, 2.0, 8.0}[p[0]] * (p[1] == 0 ? 1 : 2);
}

TEST(Effects, FindFactorsOfAProduct) {
  const Effects effects = effects_of(measured({3, 2, 4}, product));
  EXPECT_EQ(effects.configurations, 24U);
  ASSERT_EQ(effects.parameters.size(), 3U);
  EXPECT_EQ(effects.parameters[0].parameter, 0U) << "explains most";
  EXPECT_NEAR(effect_of(effects, 0).times, 8, 1);
  EXPECT_NEAR(effect_of(effects, 1).times, 2, 0.1);
  EXPECT_NEAR(effect_of(effects, 2).times, 1, 0.01);
  EXPECT_EQ(effect_of(effects, 0).best, 0U);
  EXPECT_EQ(effect_of(effects, 0).worst, 2U);
  EXPECT_GT(effect_of(effects, 0).share, 0.7);
  EXPECT_LT(effect_of(effects, 2).share, 1e-3);
  EXPECT_GT(effects.predicted, 0.95);
}

// A search that knows that a = 0 is fast tries c = 0 with it most of the time. Averages would say
// that c = 0 is fast.
TEST(Effects, AreNotThoseOfTheUsualCompany) {
  const auto keeps = [](const space::Point& p) { return (p[0] == 0) == (p[2] == 0) || p[1] == 0; };
  const Chapter chapter =
      measured({3, 6, 4}, [](const space::Point& p) { return p[0] == 0 ? 1 : 8.0; }, keeps);
  const Effects effects = effects_of(chapter);
  EXPECT_GT(effect_of(effects, 0).times, 5);
  EXPECT_LT(effect_of(effects, 2).times, 1.5);
}

TEST(Effects, FindThePairThatActsTogether) {
  const auto xor_like = [](const space::Point& p) {
    return (p[1] == p[2] ? 1.0 : 3.0) * (p[0] == 0 ? 1 : 1.5);
  };
  const Effects effects = effects_of(measured({3, 2, 2, 5}, xor_like));
  ASSERT_FALSE(effects.pairs.empty());
  EXPECT_EQ(effects.pairs[0].first, 1U);
  EXPECT_EQ(effects.pairs[0].second, 2U);
  EXPECT_GT(effects.pairs[0].share, 0.9);
  EXPECT_EQ(effects.pairs.size(), 1U) << "no other pair predicts anything";
}

TEST(Effects, NoiseExplainsNothing) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal(0, 0.3);
  const Effects effects = effects_of(
      measured({4, 4, 4}, [&](const space::Point&) { return std::exp(normal(generator)); }));
  EXPECT_LT(effects.predicted, 0.15);
  for (const PairEffect& pair : effects.pairs) EXPECT_LT(pair.share, 0.25);
}

TEST(Effects, OfNothingOneAndEqualTimesAreZero) {
  for (const std::size_t count : {0U, 1U, 5U}) {
    Chapter chapter = chapter_over({2, 3});
    for (std::uint32_t k = 0; k < count; ++k) measure(chapter, {k % 2, k % 3}, 2);
    const Effects effects = effects_of(chapter);
    EXPECT_EQ(effects.configurations, count);
    EXPECT_EQ(effects.predicted, 0);
    EXPECT_TRUE(effects.pairs.empty());
    for (const ParameterEffect& effect : effects.parameters) {
      EXPECT_EQ(effect.share, 0);
      EXPECT_EQ(effect.times, 1);
    }
  }
  EXPECT_TRUE(effects_of({}).parameters.empty());
}

TEST(Effects, CountFailuresAndLeaveThemOut) {
  Chapter chapter = measured({3, 2}, product);
  for (int k = 0; k < 3; ++k) {
    chapter.entrants.push_back(
        {.point = {2, 1}, .ending = Ending::failed, .status = Status::compile});
  }
  chapter.entrants.push_back({.ending = Ending::measured, .elapsed = {1, 1, 1}});  // no values
  const Effects effects = effects_of(chapter);
  EXPECT_EQ(effects.configurations, 6U);
  EXPECT_EQ(effect_of(effects, 0).values[2].failed, 3U);
  EXPECT_EQ(effect_of(effects, 0).values[2].count, 2U);
  EXPECT_EQ(effect_of(effects, 0).values[0].failed, 0U);
}

TEST(Effects, ManyConfigurationsAreThinnedOut) {
  const Effects effects =
      effects_of(measured({40, 40, 40}, [](const space::Point& p) { return 1.0 + p[0]; }));
  EXPECT_EQ(effects.configurations, 20'000U);
  EXPECT_NEAR(effect_of(effects, 0).times, 40, 1);
}

// Three hundred parameters of which two matter, and one more together with the first.
TEST(Effects, OfManyParametersAreFoundAmongTheStrongest) {
  constexpr std::size_t kParameters = 300;
  Chapter chapter = chapter_over(std::vector<std::size_t>(kParameters, 2));
  std::mt19937_64 generator(3);
  for (int k = 0; k < 1200; ++k) {
    space::Point point(kParameters);
    for (std::uint32_t& value : point) value = static_cast<std::uint32_t>(generator() & 1U);
    const double ms = (point[70] == 0 ? 1 : 3) * (point[40] == 0 ? 1 : 2) *
                      (point[70] == point[299] ? 1 : 1.5) * (point[299] == 0 ? 1 : 1.3);
    measure(chapter, point, ms);
  }
  const Effects effects = effects_of(chapter);
  EXPECT_EQ(effects.configurations, 1200U);
  EXPECT_EQ(effects.parameters[0].parameter, 70U);
  EXPECT_EQ(effects.parameters[1].parameter, 40U);
  ASSERT_FALSE(effects.pairs.empty());
  EXPECT_EQ(effects.pairs[0].first, 70U);
  EXPECT_EQ(effects.pairs[0].second, 299U);
  EXPECT_LE(effects.pairs.size(), kMostPaired * (kMostPaired - 1) / 2);
}

}  // namespace
}  // namespace vyre::report
