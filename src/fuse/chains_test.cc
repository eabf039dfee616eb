// Every plan of the chains of examples/chains gives the interpreter's bits of the original.

#include "testing/chains.h"

#include <gtest/gtest.h>

#include <random>

#include "vyre/fuse.h"

namespace vyre::testing::chains_tests {
namespace {

std::string name_of(const ::testing::TestParamInfo<Chain>& info) {
  return std::string(info.param.name);
}

class FusedChains : public ::testing::TestWithParam<Chain> {};

Dispatcher& with_races_detected() {
  static const auto dispatcher =
      make_dispatcher(open_reference({.threads = 1, .detect_races = true}));
  return *dispatcher;
}

Outputs outputs_of(const Problem& problem, const Config& config) {
  const std::vector<Input> inputs = inputs_of(problem);
  const std::vector<Argument> arguments = arguments_of(problem);
  const auto outputs = with_races_detected().dispatch(
      problem.sequence, {.inputs = inputs, .arguments = arguments, .config = &config});
  EXPECT_TRUE(outputs) << to_string(config) << ": " << outputs.error().message;
  return outputs.value_or(Outputs{});
}

TEST_P(FusedChains, GiveTheSameBitsUnderEveryPlan) {
  const ir::Sequence original = chain_as_written(VYRE_SOURCE_DIR, GetParam());
  const auto widened = fuse::widen(original);
  ASSERT_TRUE(widened) << widened.error().message;
  const auto unfused = problem_for(GetParam(), original, GetParam().small);
  ASSERT_TRUE(unfused) << unfused.error().message;
  const Outputs expected = outputs_of(*unfused, {});
  const auto problem = problem_for(GetParam(), original, GetParam().small, Plans::all);
  ASSERT_TRUE(problem) << problem.error().message;
  for (const Config& plan : fuse::single_plans(*widened)) {
    EXPECT_EQ(outputs_of(*problem, plan), expected) << to_string(plan);
  }
  std::mt19937_64 random(3);
  const auto some = std::min<std::size_t>(40, problem->space.size());
  for (const std::uint64_t index : problem->space.sample_distinct(some, random)) {
    const Config config = problem->space.config_at(index);
    EXPECT_EQ(outputs_of(*problem, config), expected) << to_string(config);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FusedChains, ::testing::ValuesIn(chains().begin(), chains().end()),
                         name_of);

}  // namespace
}  // namespace vyre::testing::chains_tests
