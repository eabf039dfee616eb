#include "vyre/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "testing/spaces.h"

namespace vyre::space {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Parameter numbers(std::string name, std::vector<std::int64_t> values) {
  Parameter parameter{std::move(name), {}};
  for (const std::int64_t value : values) parameter.values.emplace_back(value);
  return parameter;
}

Definition blocks() {
  return {{numbers("x", {1, 2, 4, 8}),
           numbers("y", {1, 2, 4, 8}),
           numbers("tile", {1, 2, 3}),
           {"order", {std::string("row"), std::string("col")}}},
          {"4 <= x * y <= 16", "tile == 1 or order == 'row'"}};
}

Space build(const Definition& definition) {
  auto space = Space::build(definition);
  EXPECT_TRUE(space) << space.error().message;
  return std::move(space).value();
}

std::string build_error(const Definition& definition, const Options& options = {}) {
  const auto space = Space::build(definition, options);
  return space ? "no error" : space.error().message;
}

TEST(Space, CountsAndKeepsIndependentFactorsApart) {
  const Space space = build(blocks());
  EXPECT_EQ(space.size(), 10U * 4U);
  const Statistics statistics = space.statistics();
  EXPECT_EQ(statistics.combinations, 96.0);
  EXPECT_EQ(statistics.valid, 40U);
  EXPECT_EQ(statistics.factors, 2U);
  ASSERT_EQ(statistics.constraints.size(), 2U);
  EXPECT_EQ(statistics.constraints[0].text, "4 <= x * y <= 16");
  EXPECT_GT(statistics.constraints[0].removals, 0U);
  EXPECT_EQ(statistics.constraints[1].removals, 2U);
  EXPECT_THAT(statistics.value_counts[2], ElementsAre(20U, 10U, 10U));
  EXPECT_THAT(statistics.value_counts[3], ElementsAre(30U, 10U));
}

TEST(Space, FindsConfigsByValue) {
  const Space space = build(blocks());
  const auto i = [](std::int64_t value) { return Value(value); };
  const Config valid{{"x", i(4)}, {"y", i(2)}, {"tile", i(1)}, {"order", std::string("col")}};
  const auto index = space.find(valid);
  ASSERT_TRUE(index);
  EXPECT_EQ(space.config_at(*index), valid);
  EXPECT_TRUE(space.contains(
      Config{{"x", 4.0}, {"y", i(2)}, {"tile", true}, {"order", std::string("col")}}));
  EXPECT_FALSE(space.contains(
      Config{{"x", i(1)}, {"y", i(1)}, {"tile", i(1)}, {"order", std::string("col")}}));
  EXPECT_FALSE(space.contains(Point{0, 0}));
  EXPECT_FALSE(space.contains(Point{9, 2, 0, 0}));
  EXPECT_EQ(space.find_parameter("tile"), 2U);
  EXPECT_EQ(space.find_parameter("nope"), std::nullopt);

  struct Case {
    Config config;
    const char* message;
  };
  for (const auto& [config, message] : {
           Case{{{"x", i(4)}}, "no value for parameter \"y\""},
           Case{{{"x", i(5)}}, "parameter \"x\" has no value 5"},
           Case{{{"tilee", i(5)}}, "the space has no parameter \"tilee\"; did you mean \"tile\"?"},
       }) {
    const auto point = space.to_point(config);
    ASSERT_FALSE(point);
    EXPECT_EQ(point.error().message, message);
    EXPECT_FALSE(space.contains(config));
  }
}

TEST(Space, RefusesBadDefinitions) {
  struct Case {
    Definition definition;
    const char* message;
  };
  const Parameter a = numbers("a", {0, 1, 2});
  const Parameter b = numbers("b", {0, 1, 2});
  const std::vector<Case> cases = {
      {{{}, {}}, "a space needs at least one parameter"},
      {{{{"", {true}}}, {}}, "a parameter has no name"},
      {{{a, a}, {}}, "two parameters are called \"a\""},
      {{{{"a", {}}}, {}}, "parameter \"a\" has no values"},
      {{{{"a", {std::int64_t{1}, 2.0, true}}}, {}}, "parameter \"a\" has the value true twice"},
      {{{{"a", {std::string("r"), std::string("r")}}}, {}},
       "parameter \"a\" has the value \"r\" twice"},
      {{{{"a", {std::nan("")}}}, {}}, "parameter \"a\" has a NaN value"},
      {{{a}, {"a <"}}, "constraint 1: \"a <\", column 4: the expression ends too early"},
      {{{a, b}, {"True", "a and c == 1"}},
       "constraint 2: \"a and c == 1\", column 7 at \"c\": unknown name \"c\"; did you mean "
       "\"a\"?"},
      {{{a, b}, {"a % b == 1"}},
       "constraint 1: \"a % b == 1\", column 1 at \"a % b\": division by zero (for a=0, b=0)"},
      {{{a, b}, {"b > 5 or 1 // a"}},
       "constraint 1: \"b > 5 or 1 // a\", column 10 at \"1 // a\": division by zero (for a=0, "
       "b=0)"},
      {{{a, b}, {"1 // (b - b)"}},
       "constraint 1: \"1 // (b - b)\", column 1 at \"1 // (b - b)\": division by zero (for b=0)"},
      {{{a, b}, {"1 // 0"}}, "constraint 1: \"1 // 0\", column 1 at \"1 // 0\": division by zero"},
      {{{a, b}, {"a < 3", "a + b > 3", "a == 0", "b > 0"}},
       "no configuration is valid: constraint 3, \"a == 0\", removes the last 1 that the "
       "constraints before it left"},
      {{{a, b}, {"a < 0"}},
       "no configuration is valid: constraint 1, \"a < 0\", removes the last 9 that the values "
       "left"},
      {{{a, b}, {"a + b < 0"}},
       "no configuration is valid: constraint 1, \"a + b < 0\", removes the last 9 that the values "
       "left"},
      {{{a}, {"a > 0", "False"}},
       "no configuration is valid: constraint 2, \"False\", removes the last 2 that the "
       "constraints before it left"},
      {{{a}, {std::string(70'000, ' ')}}, "constraint 1 has 70000 bytes; the limit is 65536"},
  };
  for (const auto& [definition, message] : cases) {
    EXPECT_EQ(build_error(definition), message);
  }
  Definition many;
  for (int i = 0; i < 5000; ++i) many.parameters.push_back(numbers("p" + std::to_string(i), {1}));
  EXPECT_EQ(build_error(many), "5000 parameters; the limit is 4096");
}

TEST(Space, PlaceShowsWhatIsWrong) {
  Place place;
  ASSERT_FALSE(Space::build({{numbers("a", {0})}, {"a == 0", "1 % a == 0"}}, {}, &place));
  EXPECT_EQ(show(place), "1 % a == 0\n^^^^^");
}

TEST(Space, AFaultThatOtherConstraintsExcludeIsNone) {
  const Parameter a = numbers("a", {0, 1, 2, 3, 4});
  const Parameter b = numbers("b", {0, 1, 2});
  EXPECT_EQ(build({{a, b}, {"a % b == 0", "b != 0"}}).size(), 8U);
  EXPECT_EQ(build({{a, b}, {"b != 0 and a % b == 0"}}).size(), 8U);
  EXPECT_EQ(build({{a, b}, {"4 // a >= b", "a + b > 2", "a > 0"}}).size(), 7U);
}

TEST(Space, LimitsStopConstruction) {
  const Definition definition = testing::billion_combinations();
  Options options;
  options.most_steps = 1000;
  EXPECT_THAT(build_error(definition, options), HasSubstr("takes too many steps to construct"));
  options = {};
  options.most_nodes = 100;
  EXPECT_THAT(build_error(definition, options), HasSubstr("needs too many nodes"));
  Definition huge;
  for (int i = 0; i < 20; ++i) {
    huge.parameters.push_back(numbers("p" + std::to_string(i), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  }
  EXPECT_THAT(build_error(huge), HasSubstr("2^63 or more valid configurations"));
}

TEST(Space, CountsATrillionCombinationsExactly) {
  const Space space = build(testing::trillion_combinations());
  EXPECT_EQ(space.statistics().combinations, 1e12);
  EXPECT_EQ(space.size(), 7'731'760'590U);  // by dynamic programming in Python
  EXPECT_LT(space.statistics().nodes, 2000U);
  std::mt19937_64 generator(7);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t index = space.sample(generator);
    EXPECT_EQ(space.index_of(space.at(index)), index);
  }
}

TEST(Space, SharesWhatDependsOnAProductOnly) {
  std::vector<Parameter> parameters;
  std::string product = "1";
  for (int i = 0; i < 12; ++i) {
    parameters.push_back(numbers("p" + std::to_string(i), {1, 2, 4, 8, 16, 32}));
    product += " * p" + std::to_string(i);
  }
  const Space space = build({parameters, {product + " <= 1024"}});
  EXPECT_EQ(space.size(), 624806U);  // sums of 12 exponents 0 .. 5 that are at most 10
  EXPECT_LT(space.statistics().nodes, 300U);
}

TEST(Space, RecordedSpacesHaveTheKnownSizes) {
  struct Case {
    const char* name;
    std::uint64_t size;
  };
  for (const auto& [name, size] :
       {Case{"gemm_milo", 116928}, Case{"dedispersion_milo", 11130}, Case{"hotspot_milo", 82984},
        Case{"convolution", 6768}, Case{"convolution_milo", 4362}, Case{"pnpoly", 4092}}) {
    const auto definition = testing::load_t1_definition(VYRE_SOURCE_DIR, name);
    if (!definition) GTEST_SKIP() << "the folder shared/search/t1 is not beside the checkout";
    EXPECT_EQ(build(*definition).size(), size) << name;  // by filtering the product in Python
  }
}

TEST(Space, FromRowsKeepsTheirOrder) {
  const std::vector<Parameter> parameters = {numbers("a", {1, 2, 3}), numbers("b", {1, 2})};
  const auto space = Space::from_rows(parameters, {{2, 1}, {0, 0}, {1, 1}});
  ASSERT_TRUE(space);
  EXPECT_EQ(space->size(), 3U);
  EXPECT_EQ(space->at(0), (Point{2, 1}));
  EXPECT_EQ(space->index_of(Point{1, 1}), 2U);
  EXPECT_EQ(space->index_of(Point{1, 0}), std::nullopt);
  EXPECT_THAT(space->hamming_neighbours(Point{0, 1}), ElementsAre(2U, 0U, 1U));
  EXPECT_THAT(space->adjacent_neighbours(Point{0, 1}), ElementsAre(2U, 1U));
  EXPECT_EQ(space->nearest_valid(PointView(Point{2, 0})).index, 0U);
  EXPECT_THAT(space->statistics().value_counts[1], ElementsAre(1U, 2U));

  struct Case {
    std::vector<Point> rows;
    const char* message;
  };
  for (const auto& [rows, message] :
       {Case{{}, "a space needs at least one row"},
        Case{{{0, 0}, {0}}, "row 1 has 1 values for 2 parameters"},
        Case{{{0, 2}}, "row 0 has value number 2 of parameter \"b\", which has 2 values"},
        Case{{{0, 0}, {1, 0}, {0, 0}}, "rows 0 and 2 are the same configuration"}}) {
    const auto made = Space::from_rows(parameters, rows);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message, message);
  }
}

TEST(Space, NearestValidChangesLittle) {
  const Space space =
      build({{numbers("x", {1, 2, 4, 8, 16, 32}), numbers("y", {1, 4, 8}), numbers("z", {1, 2, 3})},
             {"x * y <= 16"}});
  const auto i = [](std::int64_t value) { return Value(value); };
  struct Case {
    Config wanted;
    Config nearest;
    std::vector<std::size_t> changed;
  };
  for (const auto& [wanted, nearest, changed] : {
           Case{{{"x", i(4)}, {"y", i(4)}, {"z", i(2)}},
                {{"x", i(4)}, {"y", i(4)}, {"z", i(2)}},
                {}},
           // y moves one step, x would move two
           Case{{{"x", i(16)}, {"y", i(4)}, {"z", i(2)}},
                {{"x", i(16)}, {"y", i(1)}, {"z", i(2)}},
                {1}},
           // not listed: 3 lies nearest to 2; no value for y: its first one
           Case{{{"x", i(3)}, {"z", i(9)}}, {{"x", i(2)}, {"y", i(1)}, {"z", i(3)}}, {0, 1, 2}},
           Case{{{"x", i(32)}, {"y", i(1)}, {"z", std::string("?")}},
                {{"x", i(16)}, {"y", i(1)}, {"z", i(1)}},
                {0, 2}},
       }) {
    const auto found = space.nearest_valid(wanted);
    ASSERT_TRUE(found);
    EXPECT_EQ(to_string(space.config_at(found->index)), to_string(nearest)) << to_string(wanted);
    EXPECT_EQ(found->changed, changed) << to_string(wanted);
  }
  const auto unknown = space.nearest_valid(Config{{"zz", i(1)}});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("the space has no parameter \"zz\""));
}

TEST(Space, SamplesUniformly) {
  const Space space = build(blocks());
  std::mt19937_64 generator(12345);
  std::vector<double> seen(space.size());
  constexpr int kDraws = 40'000;
  for (int i = 0; i < kDraws; ++i) ++seen[space.sample(generator)];
  double chi_square = 0;
  const double expected = static_cast<double>(kDraws) / static_cast<double>(space.size());
  for (const double count : seen) chi_square += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi_square, 72.1);  // 39 degrees of freedom: exceeded once in 1000 seeds
  EXPECT_GT(chi_square, 17.3);
}

TEST(Space, DistinctSamplesAreDistinctAndComplete) {
  const Space space = build(blocks());
  std::mt19937_64 generator(1);
  for (const std::size_t count : {0U, 1U, 10U, 40U, 100U}) {
    auto drawn = space.sample_distinct(count, generator);
    EXPECT_EQ(drawn.size(), std::min<std::size_t>(count, 40));
    std::ranges::sort(drawn);
    EXPECT_EQ(std::ranges::adjacent_find(drawn), drawn.end());
    EXPECT_TRUE(drawn.empty() || drawn.back() < 40);
  }
}

}  // namespace
}  // namespace vyre::space
