// Long chains: intervals first, then the best whole plans, in one campaign.

#include "tune/plan_opening.h"

#include <gtest/gtest.h>

#include "testing/temporary_folder.h"
#include "vyre/tune.h"

namespace vyre {
namespace {

// x[i] += 1, so often.
Problem chain_of(int steps) {
  std::string text =
      "program one { shape n: u32 read_write x: u32[n] workgroup [16u] grid [(n + 15u) / 16u]\n"
      "let i: u32 = global_id(0) if i < n { x[i] = x[i] + 1u } }\n"
      "sequence chain { shape n: u32 = 40u read_write x: u32[n]\n";
  for (int k = 0; k < steps; ++k) text += "run one(x)\n";
  const auto def = ir::parse(text + "}");
  EXPECT_TRUE(def) << def.error().message;
  auto problem = chain_problem(*ir::Sequence::make(*def), {.fuse = true});
  EXPECT_TRUE(problem) << problem.error().message;
  return *std::move(problem);
}

std::string plan_at(const Problem& problem, std::uint64_t index) {
  return fuse::describe_plan(problem.space.config_at(index));
}

TEST(PlanOpening, ShortChainsNeedNone) {
  EXPECT_TRUE(plan_opening(chain_of(4)).first.empty());
  Problem plain = chain_of(4);
  plain.plans = nullptr;
  EXPECT_TRUE(plan_opening(plain).first.empty());
}

TEST(PlanOpening, MeasuresIntervalsAndPutsTheBestTogether) {
  const Problem problem = chain_of(8);
  const Opening opening = plan_opening(problem);
  ASSERT_GE(opening.first.size(), 7U);
  EXPECT_EQ(plan_at(problem, opening.first[0]), "steps 1 to 2 in one kernel: merge");
  // Two intervals save something, and one of them does so in another way too.
  std::map<std::uint64_t, Result> results{{problem.default_index, {.time_ms = 10}}};
  for (const std::uint64_t index : opening.first) {
    const std::string plan = plan_at(problem, index);
    const bool is_good = plan.starts_with("steps 1 to 2 ") || plan.starts_with("steps 7 to 8 ");
    results[index] = {.time_ms = is_good ? 8.0 : 11.0};
    if (plan.starts_with("steps 2 to 3 ")) results[index].status = Status::runtime;
  }
  std::vector<std::string> plans;
  for (const std::uint64_t index : opening.follow_up(results)) {
    plans.push_back(plan_at(problem, index));
  }
  EXPECT_EQ(plans, (std::vector<std::string>{
                       "steps 1 to 2 in one kernel: merge; steps 7 to 8 in one kernel: merge",
                       "steps 1 to 2 in one kernel: merge", "steps 7 to 8 in one kernel: merge"}));
}

// The same questions in the same order, so a campaign that is interrupted goes on from its journal.
TEST(PlanOpening, IsPartOfTheCampaign) {
  const Problem problem = chain_of(8);
  const testing::TemporaryFolder folder;
  const std::uint64_t wanted = plan_opening(problem).first.size() + 4;
  TuneOptions options{.seconds = 0, .evaluations = wanted, .files = {.folder = folder.path()}};
  int left = 5;
  options.on_progress = [&](const Progress&) { return --left > 0; };
  const auto device = open_reference({.threads = 1});
  const auto begun = tune(device, problem, options);
  ASSERT_TRUE(begun) << begun.error().message;
  EXPECT_TRUE(begun->is_interrupted());
  options.on_progress = {};
  const auto tuned = tune(device, problem, options);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(tuned->report.evaluations, wanted);
  EXPECT_GT(tuned->report.resumed, 0U);
  EXPECT_TRUE(tuned->report.failures.empty());
}

}  // namespace
}  // namespace vyre
