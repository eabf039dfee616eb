#include "cli/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "vyre/builder.h"

namespace vyre::cli {
namespace {

using ::testing::HasSubstr;

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
