#include "tune/cost.h"

#include <gtest/gtest.h>

namespace vyre {
namespace {

TEST(UtcText, IsWhatOthersRead) {
  EXPECT_EQ(utc_text(0), "");
  EXPECT_EQ(utc_text(1), "1970-01-01 00:00:00.001+00:00");
  EXPECT_EQ(utc_text(1'763'000'000'042), "2025-11-13 02:13:20.042+00:00");
}

TEST(Cost, AddsUpAndTellsVerifyingFromCompiling) {
  Cost cost;
  add_cost(cost, {.result = {.compile_seconds = 3, .verify_seconds = 1}, .unix_ms = 5});
  add_cost(cost, {.result = {.run_seconds = 0.5}, .unix_ms = 9});
  EXPECT_EQ(cost.compile_seconds, 2);
  EXPECT_EQ(cost.verify_seconds, 1);
  EXPECT_EQ(cost.run_seconds, 0.5);
  EXPECT_EQ(cost.unix_ms, 9);
  add_cost(cost, {.result = {.compile_seconds = 1, .verify_seconds = 7}});
  EXPECT_EQ(cost.compile_seconds, 2) << "a part is not more than the whole";
  EXPECT_GT(cost.unix_ms, 9) << "known just now";
}

}  // namespace
}  // namespace vyre
