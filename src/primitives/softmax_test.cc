#include "testing/oracles/softmax.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "vyre/call.h"
#include "vyre/substrate/primitives.h"

namespace vyre::primitives {
namespace {

using Weights = std::vector<std::uint32_t>;

// On the interpreter, with an eye on races.
Weights run(const Weights& pre_exp) {
  const auto sequence = softmax_step(static_cast<std::uint32_t>(pre_exp.size()));
  if (!sequence) {
    ADD_FAILURE() << sequence.error().message;
    return {};
  }
  const bool small = pre_exp.size() < 10'000;
  const auto dispatcher = make_dispatcher(open_reference({.detect_races = small}));
  const Input input = as_input(pre_exp);
  const auto outputs = dispatcher->dispatch(*sequence, {.inputs = {&input, 1}});
  if (!outputs) {
    ADD_FAILURE() << outputs.error().message;
    return {};
  }
  EXPECT_EQ(outputs->size(), 1U);
  return values_of<std::uint32_t>(outputs->front());
}

TEST(SoftmaxStep, GivesTheContractsVectors) {
  struct Case {
    Weights pre_exp;
    Weights expected;
  };
  const Case table[] = {
      {{65536, 131072, 65536}, {16384, 32768, 16384}},
      {{65536, 196608}, {16384, 49152}},
      {{65536, 65536}, {32768, 32768}},
      {{7, 7, 7}, {21845, 21845, 21845}},
      {{0, 0, 0, 0}, {0, 0, 0, 0}},
      {{0, 0xffffffff, 0}, {0, 65536, 0}},
      {{1}, {65536}},
      {{0}, {0}},
      {{0xffffffff, 0xffffffff}, {32768, 32768}},
  };
  for (const auto& [pre_exp, expected] : table) {
    EXPECT_EQ(run(pre_exp), expected) << ::testing::PrintToString(pre_exp);
    EXPECT_EQ(testing::softmax_step(pre_exp), expected) << ::testing::PrintToString(pre_exp);
  }
}

TEST(SoftmaxStep, AgreesWithTheOracleAtEverySizeThatMatters) {
  std::mt19937 random(7);
  for (const std::uint32_t n : {1U, 2U, 255U, 256U, 257U, 511U, 4095U, 4096U, 4097U, 4352U, 10'000U,
                                262'144U, 262'145U, 1'000'000U}) {
    Weights pre_exp(n);
    for (std::uint32_t& weight : pre_exp) weight = static_cast<std::uint32_t>(random());
    EXPECT_EQ(run(pre_exp), testing::softmax_step(pre_exp)) << n;
  }
}

TEST(SoftmaxStep, LargeSumsAreExact) {
  const Weights all_ones(100'000, 0xffffffff);
  EXPECT_EQ(run(all_ones), testing::softmax_step(all_ones));
  const Weights all_zeros(100'000, 0);
  EXPECT_EQ(run(all_zeros), all_zeros);
}

TEST(SoftmaxStep, UsesTheWholeDeviceWhenLarge) {
  const auto small = softmax_step(4096);
  const auto large = softmax_step(4097);
  ASSERT_TRUE(small.has_value() && large.has_value());
  EXPECT_EQ(small->def().steps.size(), 1U);
  EXPECT_EQ(large->def().steps.size(), 3U);
}

TEST(SoftmaxStep, RefusesSizesByName) {
  struct Case {
    std::uint32_t n;
    const char* message;
  };
  for (const auto& [n, message] :
       {Case{0, "softmax_step: n is 0; there must be at least one element"},
        Case{0x40000000,
             "softmax_step: n is 1073741824; a buffer holds at most 1073741823 elements"}}) {
    const auto sequence = softmax_step(n);
    ASSERT_FALSE(sequence.has_value());
    EXPECT_EQ(sequence.error().kind, ErrorKind::bad_inputs);
    EXPECT_EQ(sequence.error().message, message);
  }
  EXPECT_TRUE(softmax_step(0x3fffffff).has_value());
}

}  // namespace
}  // namespace vyre::primitives
