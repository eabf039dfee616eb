#include "cli/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  EXPECT_THAT(table, HasSubstr("rate       of host        configuration\n"));
  EXPECT_THAT(table, HasSubstr("24.0 GB/s  0.80 x OpenMP  block="));

  const auto json = nlohmann::json::parse(json_of({kernel}))[0];
  EXPECT_EQ(json["host"]["by"], "OpenMP");
  EXPECT_EQ(json["host"]["ns"], 4e5);
  EXPECT_EQ(json["host"]["ratio"], 0.8);
  EXPECT_EQ(json["metrics"]["GB/s"], 24.0);
}

TEST(TuneReport, ShowsSmallRatiosAsMoreThanZero) {
  TunedKernel kernel = tuned_saxpy();
  kernel.host = HostSpeed{1.5e3, "OpenBLAS"};
  EXPECT_THAT(table_of({kernel}), HasSubstr("  0.0030 x OpenBLAS  "));
}

TEST(TuneReport, HasADashWhereThereIsNothingToCompareWith) {
  const TunedKernel kernel = tuned_saxpy();
  EXPECT_THAT(table_of({kernel}), HasSubstr("24.0 GB/s  -        block="));
  EXPECT_TRUE(nlohmann::json::parse(json_of({kernel}))[0]["host"].is_null());
}

}  // namespace
}  // namespace vyre::cli
