#include "testing/bench.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace vyre::testing {
namespace {

Report sample_report() {
  Report report;
  report.add({.name = "plain", .value = 1234.5, .unit = "ns"});
  report.add({.name = "faster", .value = 20, .unit = "ns", .baseline = 30, .goal = at_most(0.9)});
  report.add(
      {.name = "slow", .value = 300, .unit = "M/s", .goal = at_least(500), .note = "one core"});
  return report;
}

TEST(Bench, TextShowsGoalsAndWhetherTheyAreMet) {
  EXPECT_EQ(sample_report().text(),
            "benchmark  value  unit  baseline  ratio  goal                   note\n"
            "plain       1234  ns\n"
            "faster      20.0  ns        30.0  0.667  at most 0.9: met\n"
            "slow         300  M/s                    at least 500: NOT MET  one core\n");
}

TEST(Bench, JsonHasWhatTheTextHas) {
  const auto json = sample_report().json();
  ASSERT_EQ(json.size(), 3U);
  EXPECT_EQ(json[0], (nlohmann::json{{"name", "plain"}, {"value", 1234.5}, {"unit", "ns"}}));
  EXPECT_EQ(json[1]["met"], true);
  EXPECT_EQ(json[2]["met"], false);
  EXPECT_EQ(json[2]["at_least"], 500.0);
  EXPECT_EQ(json[2]["note"], "one core");
}

TEST(Bench, AGivenRatioCountsBeforeTheQuotient) {
  const Row row{.value = 20, .baseline = 30, .ratio = 0.5, .goal = at_most(0.6)};
  EXPECT_EQ(row.compared(), 0.5);
  EXPECT_EQ(row.met(), true);
  EXPECT_EQ((Row{.value = 1, .baseline = 0.0}).compared(), std::nullopt);
  EXPECT_EQ(Row{}.met(), std::nullopt);
}

TEST(Bench, CallsTheBodyInEverySample) {
  int first = 0;
  int second = 0;
  const Timing timing{.batch_ns = 1, .samples = 3};
  EXPECT_GE(median_ns([&] { ++first; }, timing), 0);
  EXPECT_GE(first, 4);
  compare_ns([&] { ++first; }, [&] { ++second; }, timing);
  EXPECT_GE(second, 4);
}

VYRE_BENCHMARK(bench_test_registered) { report.add({.name = "registered"}); }

TEST(Bench, RunsWhatMatches) {
  std::vector<std::string> started;
  const auto note = [&](const char* name) { started.emplace_back(name); };
  const auto report = run_benchmarks("^bench_test_reg", note);
  EXPECT_EQ(started, std::vector<std::string>{"bench_test_registered"});
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->rows().size(), 1U);
  EXPECT_TRUE(run_benchmarks("no such benchmark", note)->rows().empty());
  EXPECT_EQ(run_benchmarks("(", note).error().message, "\"(\" is not a regular expression");
}

}  // namespace
}  // namespace vyre::testing
