#include <gtest/gtest.h>

#include <limits>

#include "vyre/substrate.h"

namespace vyre::substrate {
namespace {

using Weights = std::vector<std::uint32_t>;

TEST(Pick, GivesTheContractsVectors) {
  struct Case {
    Weights pre_exp;
    Weights expected;
  };
  auto dispatcher = backend::make_dispatcher(backend::open_reference());
  for (const auto& [pre_exp, expected] : {
           Case{{65536, 131072, 65536}, {16384, 32768, 16384}},
           Case{{65536, 196608}, {16384, 49152}},
           Case{{7, 7, 7}, {21845, 21845, 21845}},
           Case{{0, 0, 9, 0}, {0, 0, 65536, 0}},
           Case{{0, 0}, {0, 0}},
           Case{{1}, {65536}},
       }) {
    const auto got = pick_config_pre_exp_fixed_via(*dispatcher, pre_exp);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(*got, expected);
  }
}

TEST(Pick, KeepsItsScratch) {
  auto dispatcher = backend::make_dispatcher(backend::open_reference());
  PickScratch scratch;
  Weights out;
  const Weights weights(1000, 3);
  ASSERT_TRUE(pick_config_pre_exp_fixed_via(*dispatcher, weights, scratch, out));
  const void* program = scratch.program->identity();
  const std::uint32_t* place = out.data();
  const std::byte* bytes = scratch.outputs[0].data();
  ASSERT_TRUE(pick_config_pre_exp_fixed_via(*dispatcher, weights, scratch, out));
  EXPECT_EQ(scratch.program->identity(), program);
  EXPECT_EQ(out.data(), place);
  EXPECT_EQ(scratch.outputs[0].data(), bytes);
  EXPECT_EQ(out, Weights(1000, 65));
}

TEST(Pick, RefusesNoWeights) {
  auto dispatcher = backend::make_dispatcher(backend::open_reference());
  const auto got = pick_config_pre_exp_fixed_via(*dispatcher, {});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "pre_exp has 0 weights; give 1 to 2^32 - 1 candidates");
}

TEST(Pick, NullDeviceGivesZerosOfTheRightSize) {
  auto dispatcher = backend::make_dispatcher(backend::open_null());
  EXPECT_EQ(*pick_config_pre_exp_fixed_via(*dispatcher, Weights{1, 2}), (Weights{0, 0}));
}

TEST(NaturalGradient, GivesTheContractsVectors) {
  auto dispatcher = backend::make_dispatcher(backend::open_reference());
  const auto half = natural_config_gradient_magnitude_pre_exp_fixed_via(
      *dispatcher, Weights{65536, 65536}, Weights{65536, 0, 0, 32768});
  ASSERT_TRUE(half) << half.error().message;
  EXPECT_EQ(*half, (Weights{32768, 16384}));
  const auto identity = natural_config_gradient_magnitude_pre_exp_fixed_via(
      *dispatcher, Weights{65536, 196608}, Weights{65536, 0, 0, 65536});
  EXPECT_EQ(*identity, (Weights{16384, 49152}));
}

TEST(NaturalGradient, ChecksTheMetricFirst) {
  auto dispatcher = backend::make_dispatcher(backend::open_reference());
  for (const std::size_t size : {0U, 3U, 5U}) {
    const auto got = natural_config_gradient_magnitude_pre_exp_fixed_via(*dispatcher, Weights{1, 2},
                                                                         Weights(size, 1));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().kind, ErrorKind::bad_inputs);
  }
  EXPECT_EQ(
      natural_config_gradient_magnitude_pre_exp_fixed_via(*dispatcher, {}, {}).error().message,
      "the metric has 0 elements for 0 weights; give n * n of them, n above 0");
}

TEST(PreExp, GivesTheBestExactlyOne) {
  const std::vector<double> costs{12000, 8000, 10000};
  EXPECT_EQ(*pre_exp_of_costs(costs, 4000), (Weights{24109, 65536, 39750}));
  const std::vector<double> slow{1e12 + 5, 1e12, 2e12};
  EXPECT_EQ(*pre_exp_of_costs(slow, 5), (Weights{24109, 65536, 0}));
  EXPECT_EQ(*pre_exp_of_costs({}, 1), Weights{});
}

TEST(PreExp, SaysWhatIsWrong) {
  const std::vector<double> one{1};
  const std::vector<double> bad{1, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(pre_exp_of_costs(one, 0).error().message,
            "temperature 0 must be above zero and finite");
  EXPECT_EQ(pre_exp_of_costs(one, -1).error().message,
            "temperature -1 must be above zero and finite");
  EXPECT_EQ(pre_exp_of_costs(bad, 1).error().message,
            "cost inf of candidate 1 is not finite; leave failed candidates out");
}

}  // namespace
}  // namespace vyre::substrate
