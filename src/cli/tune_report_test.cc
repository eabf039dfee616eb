#include "cli/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "vyre/builder.h"

namespace vyre::cli {
namespace {

using ::testing::HasSubstr;

// A campaign that made saxpy four times as fast: 2 ms, then 0.5 ms.
TunedKernel tuned_saxpy() {
  auto problem = bundled_problem("saxpy", {{"n", 1'000'000}});
  EXPECT_TRUE(problem);
  TunedKernel out{*std::move(problem), {}, {}};
  CampaignReport& report = out.tuned.report;
  report.best = 1;
  report.elapsed = {5e5, 4e5, 6e5};
  report.default_elapsed = {2e6, 1.9e6, 2.1e6};
  report.standings.resize(1);
  report.evaluations = 7;
  return out;
}

TEST(TuneReport, SaysHowFastTheHostItselfIs) {
  TunedKernel kernel = tuned_saxpy();
  kernel.host = HostSpeed{4e5, "OpenMP"};
  const std::string table = table_of({kernel});
  EXPECT_THAT(table, HasSubstr("\n  24.0 GB/s; 0.80 x OpenMP on this machine's processor\n"));

  const auto json = nlohmann::json::parse(json_of({kernel}))[0];
  EXPECT_EQ(json["host"]["by"], "OpenMP");
  EXPECT_EQ(json["host"]["ns"], 4e5);
  EXPECT_EQ(json["host"]["ratio"], 0.8);
  EXPECT_EQ(json["metrics"]["GB/s"], 24.0);
}

TEST(TuneReport, ShowsSmallRatiosAsMoreThanZero) {
  TunedKernel kernel = tuned_saxpy();
  kernel.host = HostSpeed{1.5e3, "OpenBLAS"};
  EXPECT_THAT(table_of({kernel}), HasSubstr("; 0.0030 x OpenBLAS on"));
}

TEST(TuneReport, HasTheRateAloneWhereThereIsNothingToCompareWith) {
  const TunedKernel kernel = tuned_saxpy();
  EXPECT_THAT(table_of({kernel}), HasSubstr("\n  24.0 GB/s\n"));
  EXPECT_TRUE(nlohmann::json::parse(json_of({kernel}))[0]["host"].is_null());
}

TEST(TuneReport, CountsFailuresByTheirKind) {
  TunedKernel kernel = tuned_saxpy();
  EXPECT_THAT(table_of({kernel}), ::testing::Not(HasSubstr("failed:")));
  kernel.tuned.report.failures = {{2, Status::timeout}, {3, Status::compile}, {4, Status::compile}};
  EXPECT_THAT(table_of({kernel}), HasSubstr("\n  failed: 2 compile, 1 timeout\n"));
  const auto json = nlohmann::json::parse(json_of({kernel}))[0];
  EXPECT_EQ(json["failures"], 3);
  EXPECT_EQ(json["failures_by_kind"], (nlohmann::json{{"compile", 2}, {"timeout", 1}}));
  kernel.tuned.is_kept = true;
  EXPECT_THAT(table_of({kernel}),
              HasSubstr("\n  failed: 2 compile, 1 timeout; `vyre report " +
                        to_string(kernel.tuned.key).substr(0, 15) + "` says why\n"));
}

TEST(TuneReport, ALineSaysWhatBecameOfAConfiguration) {
  const Problem problem = tuned_saxpy().problem;
  const std::string config = to_string(problem.space.config_at(1));
  EXPECT_EQ(tried_text(problem, {1, {.time_ms = 0.5}}), "    0.500 ms  " + config);
  EXPECT_EQ(tried_text(problem, {1, {.status = Status::timeout}, "no answer within 3 s"}),
            "     timeout  " + config + ": no answer within 3 s");
}

TEST(TuneReport, KeepsToEightyColumns) {
  TunedKernel kernel = tuned_saxpy();
  kernel.problem.name = "a_kernel_with_a_name_of_forty_characters";
  kernel.host = HostSpeed{4e5, "OpenMP"};
  kernel.tuned.report.gained = {.times = 123.45, .low = 100.12, .high = 150.34};
  std::istringstream table(table_of({kernel}));
  for (std::string line; std::getline(table, line);) EXPECT_LE(line.size(), 80) << line;
}

// A problem with the configurations k=1, the default, and k=2, and a campaign that chose `best`.
TunedKernel kernel_that_chose(std::uint64_t best, const Estimate& elapsed,
                              const Estimate& default_elapsed) {
  auto program = ir::build("p", [](ir::Builder& b) {
    auto k = b.tunable("k", 1);
    auto y = b.write(ir::u32, "y", b.shape("n"));
    y[b.global_id(0)] = k;
  });
  auto space = space::Space::build(
      {.parameters = {{"k", {std::int64_t{1}, std::int64_t{2}}}}, .constraints = {}});
  TunedKernel out{
      .problem = {.name = "p", .sequence = *ir::Sequence::make(*program), .space = *space},
      .tuned = {}};
  CampaignReport& report = out.tuned.report;
  report.best = best;
  report.elapsed = elapsed;
  report.default_elapsed = default_elapsed;
  report.standings = {{.candidate = {.id = 0, .is_default = true}}, {.candidate = {.id = 1}}};
  out.tuned.is_kept = true;
  return out;
}

// Intervals that overlap once made this "nothing faster", while a gain of 2.9 was kept.
TEST(TuneReport, WhatWasChosenIsWhatIsReported) {
  const auto kernel = kernel_that_chose(1, {100, 50, 400}, {290, 200, 350});
  EXPECT_TRUE(is_better(kernel.tuned.report));
  const auto json = nlohmann::json::parse(json_of({kernel}))[0];
  EXPECT_EQ(json["better"], true);
  EXPECT_EQ(json["config"]["k"], 2);
  EXPECT_THAT(table_of({kernel}), HasSubstr("k=2"));
}

TEST(TuneReport, TheDefaultIsNotFasterThanItself) {
  const auto kernel = kernel_that_chose(0, {100, 90, 110}, {290, 200, 350});
  EXPECT_FALSE(is_better(kernel.tuned.report));
  EXPECT_EQ(nlohmann::json::parse(json_of({kernel}))[0]["better"], false);
  EXPECT_THAT(table_of({kernel}), HasSubstr("1.00 x"));
}

}  // namespace
}  // namespace vyre::cli
