#include <gtest/gtest.h>

#include <string>

#include "testing/shared_data.h"
#include "vyre/recording.h"

namespace vyre::recording {
namespace {

// Parameters x in 1..4 and y in 1..4, x * y <= 4, with these defaults.
T1File problem_with(const std::string& x_default, const std::string& y_default) {
  const auto parameter = [](const std::string& name, const std::string& value) {
    return R"({"Name": ")" + name +
           R"json(", "Type": "int", "Values": "range(1, 5)", "Default": )json" + value + "}";
  };
  auto problem = parse_t1(R"({"ConfigurationSpace": {"TuningParameters": [)" +
                              parameter("x", x_default) + "," + parameter("y", y_default) +
                              R"(], "Conditions": [{"Expression": "x * y <= 4"}]},
    "KernelSpecification": {"Language": "CUDA", "KernelName": "k", "KernelFile": "f",
                            "GlobalSize": {"X": "x"}, "LocalSize": {"X": "y"}}})",
                          "p.json");
  EXPECT_TRUE(problem) << (problem ? "" : problem.error().message);
  return problem.value_or(T1File{});
}

struct Case {
  const char* x;
  const char* y;
  Config start;
  std::vector<std::string> warnings;
};

TEST(DefaultOf, IsTheDeclaredOneOrTheNearestValid) {
  const auto i = [](std::int64_t value) { return Value(value); };
  const std::string before =
      "the default is not a valid configuration; starting from the nearest one: ";
  const Case cases[] = {
      {"2", "2", Config{{"x", i(2)}, {"y", i(2)}}, {}},
      {"4", "2", Config{{"x", i(4)}, {"y", i(1)}}, {before + "\"y\" = 2 becomes 1"}},
      {"9", "1", Config{{"x", i(4)}, {"y", i(1)}}, {before + "\"x\" = 9 becomes 4"}},
      {"1", "null", Config{{"x", i(1)}, {"y", i(1)}}, {before + "\"y\" (no default) is 1"}},
  };
  for (const Case& c : cases) {
    const T1File problem = problem_with(c.x, c.y);
    const auto space = space::Space::build(problem.space);
    ASSERT_TRUE(space) << space.error().message;
    const auto start = default_of(problem, *space);
    ASSERT_TRUE(start && *start) << c.x << c.y;
    EXPECT_EQ((*start)->warnings, c.warnings);
    EXPECT_EQ(space->config_at((*start)->index), c.start);
  }
}

TEST(DefaultOf, NothingDeclaredIsNothing) {
  const T1File problem = problem_with("null", "null");
  const auto space = space::Space::build(problem.space);
  ASSERT_TRUE(space);
  const auto start = default_of(problem, *space);
  ASSERT_TRUE(start);
  EXPECT_FALSE(*start);
}

TEST(DefaultOf, EverySharedProblemHasAValidStart) {
  const auto files = testing::shared_files(VYRE_SOURCE_DIR, "search/t1");
  if (files.empty()) GTEST_SKIP() << "the shared problems are not beside the checkout";
  for (const auto& file : files) {
    const auto problem = read_t1(file);
    ASSERT_TRUE(problem) << problem.error().message;
    const auto space = space::Space::build(problem->space);
    ASSERT_TRUE(space) << file << space.error().message;
    const auto start = default_of(*problem, *space);
    ASSERT_TRUE(start && *start) << file;
    EXPECT_LT((*start)->index, space->size()) << file;
  }
}

TEST(ToSpace, HasTheRowsInTheirOrder) {
  const auto recording = parse_csv("x,time_ms\n8,1\n2,\n4,3\n", "r.csv");
  ASSERT_TRUE(recording);
  const auto space = to_space(*recording);
  ASSERT_TRUE(space) << space.error().message;
  ASSERT_EQ(space->size(), 3U);
  EXPECT_EQ(space->at(1), recording->rows[1].point);
  EXPECT_EQ(space->config_at(0), (Config{{"x", std::int64_t{8}}}));
}

}  // namespace
}  // namespace vyre::recording
