// Every chain of examples/chains, and every one that was fused by hand, gives what a plain
// computation in C++ gives, in its default and in other configurations, on every device.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/chains.h"
#include "testing/every_device.h"

namespace vyre::testing {
namespace {

std::string name_of(const ::testing::TestParamInfo<Chain>& info) {
  return std::string(info.param.name);
}

void expect_near(const Floats& got, const Floats& expected, const std::string& where) {
  ASSERT_EQ(got.size(), expected.size()) << where;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float allowed = 2e-5F + 1e-4F * std::fabs(expected[i]);
    ASSERT_NEAR(got[i], expected[i], allowed) << where << " at " << i;
  }
}

void expect_right(const Problem& problem, std::uint64_t index, const ChainOutputs& expected,
                  const std::string& device) {
  const std::vector<Input> inputs = inputs_of(problem);
  const std::vector<Argument> arguments = arguments_of(problem);
  const Config config = problem.space.config_at(index);
  const std::string where = problem.name + " on " + device + " with " + to_string(config);
  const auto outputs = dispatcher_on(device).dispatch(
      problem.sequence, {.inputs = inputs, .arguments = arguments, .config = &config});
  ASSERT_TRUE(outputs) << where << ": " << outputs.error().message;
  ASSERT_EQ(outputs->size(), expected.size()) << where;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    expect_near(values_of<float>((*outputs)[k]), expected[k], where);
  }
}

// Compilers are slower than the interpreter, so devices get fewer configurations.
void expect_all_right(const Chain& chain, const ir::Sequence& sequence, const ProblemSizes& sizes) {
  const auto problem = problem_for(chain, sequence, sizes);
  ASSERT_TRUE(problem) << problem.error().message;
  const ChainOutputs expected = chain.expected(data_of(*problem));
  for (const std::string& device : every_device()) {
    std::mt19937_64 random(7);
    expect_right(*problem, problem->default_index, expected, device);
    const std::size_t more = device == "reference" ? 8 : 1;
    for (const std::uint64_t index : problem->space.sample_distinct(more, random)) {
      expect_right(*problem, index, expected, device);
    }
  }
}

// All sizes are 1.
ProblemSizes ones(const Chain& chain) {
  ProblemSizes out = chain.small;
  for (auto& [name, size] : out) size = 1;
  return out;
}

class Chains : public ::testing::TestWithParam<Chain> {};

TEST_P(Chains, AreRightAsWritten) {
  const ir::Sequence sequence = chain_as_written(VYRE_SOURCE_DIR, GetParam());
  EXPECT_EQ(sequence.def().name, GetParam().name);
  expect_all_right(GetParam(), sequence, GetParam().small);
  expect_all_right(GetParam(), sequence, ones(GetParam()));
}

TEST_P(Chains, AreRightByHand) {
  const ir::Sequence sequence = chain_by_hand(VYRE_SOURCE_DIR, GetParam());
  expect_all_right(GetParam(), sequence, GetParam().small);
  expect_all_right(GetParam(), sequence, ones(GetParam()));
}

// What was fused by hand keeps every order of summation, as fusion must.
TEST_P(Chains, ByHandGiveTheInterpretersBits) {
  const auto outputs_of = [&](const ir::Sequence& sequence) {
    const auto problem = problem_for(GetParam(), sequence, GetParam().small);
    EXPECT_TRUE(problem) << problem.error().message;
    const auto inputs = inputs_of(*problem);
    const auto arguments = arguments_of(*problem);
    return dispatcher_on("reference")
        .dispatch(sequence, {.inputs = inputs, .arguments = arguments})
        .value_or(Outputs{});
  };
  const Outputs written = outputs_of(chain_as_written(VYRE_SOURCE_DIR, GetParam()));
  EXPECT_FALSE(written.empty());
  EXPECT_EQ(outputs_of(chain_by_hand(VYRE_SOURCE_DIR, GetParam())), written);
}

// A comparison is fair only if both may choose from the same values.
TEST_P(Chains, ByHandHaveTunablesOfTheChain) {
  const auto written = space_of(chain_as_written(VYRE_SOURCE_DIR, GetParam())).parameters;
  for (const auto& by_hand : space_of(chain_by_hand(VYRE_SOURCE_DIR, GetParam())).parameters) {
    EXPECT_NE(std::ranges::find(written, by_hand), written.end()) << by_hand.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Chains, ::testing::ValuesIn(chains().begin(), chains().end()),
                         name_of);

}  // namespace
}  // namespace vyre::testing
