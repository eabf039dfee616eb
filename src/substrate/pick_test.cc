// Soft picks, on the host and on every device.

#include "vyre/substrate/pick.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "testing/adversarial.h"
#include "testing/broken_dispatcher.h"
#include "testing/every_device.h"
#include "testing/not_finite.h"
#include "testing/oracles/matvec.h"
#include "testing/oracles/softmax.h"
#include "testing/soak.h"

namespace vyre::substrate {
namespace {

using Weights = std::vector<std::uint32_t>;
using Signed = std::vector<std::int32_t>;
using Reals = std::vector<double>;

using testing::kInfinity;
using testing::kNaN;

class Pick : public ::testing::TestWithParam<std::string> {
 protected:
  Dispatcher& device() { return testing::dispatcher_on(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Pick, ::testing::ValuesIn(testing::every_device()));

TEST_P(Pick, GivesTheContractsVectors) {
  struct Case {
    Weights pre_exp;
    Weights expected;
  };
  for (const auto& [pre_exp, expected] : {
           Case{{65536, 131072, 65536}, {16384, 32768, 16384}},
           Case{{65536, 196608}, {16384, 49152}},
           Case{{7, 7, 7}, {21845, 21845, 21845}},
           Case{{0, 0, 9, 0}, {0, 0, 65536, 0}},
           Case{{0, 0}, {0, 0}},
           Case{{1}, {65536}},
           Case{{0xffffffff, 0xffffffff}, {32768, 32768}},
       }) {
    const auto got = pick_config_pre_exp_fixed_via(device(), pre_exp);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(*got, expected);
    EXPECT_EQ(*config_gradient_magnitude_pre_exp_fixed_via(device(), pre_exp), expected);
    Signed negative;
    for (const std::uint32_t p : expected) negative.push_back(-static_cast<std::int32_t>(p));
    EXPECT_EQ(*config_gradient_pre_exp_fixed_signed_via(device(), pre_exp), negative);
  }
}

TEST_P(Pick, NaturalGradientGivesTheContractsVectors) {
  const Weights half{65536, 0, 0, 32768};
  const Weights identity{65536, 0, 0, 65536};
  EXPECT_EQ(
      *natural_config_gradient_magnitude_pre_exp_fixed_via(device(), Weights{65536, 65536}, half),
      (Weights{32768, 16384}));
  EXPECT_EQ(*natural_config_gradient_magnitude_pre_exp_fixed_via(device(), Weights{65536, 196608},
                                                                 identity),
            (Weights{16384, 49152}));
  EXPECT_EQ(*natural_config_gradient_pre_exp_fixed_signed_via(device(), Weights{65536, 65536},
                                                              Signed{65536, 0, 0, -32768}),
            (Signed{-32768, 16384}));
}

TEST_P(Pick, AgreesWithItsOraclesAtRandom) {
  testing::Random random(21);
  NaturalScratch scratch;
  Weights gradient;
  for (const std::uint32_t n : testing::sizes_up_to(random, 300, testing::cases(5, 200))) {
    const auto pre_exp = testing::adversarial<std::uint32_t>(random, n);
    const auto metric = testing::adversarial<std::uint32_t>(random, std::size_t{n} * n);
    ASSERT_TRUE(natural_config_gradient_magnitude_pre_exp_fixed_via(device(), pre_exp, metric,
                                                                    scratch, gradient));
    EXPECT_EQ(gradient,
              testing::natural_gradient_block_apply(metric, testing::softmax_step(pre_exp)))
        << n;
  }
}

TEST_P(Pick, KeepsItsScratch) {
  NaturalScratch scratch;
  Weights out;
  const Weights weights(1000, 3);
  const Weights metric(1'000'000, kOne);
  const auto places = [&] {
    return std::array<const void*, 6>{
        scratch.pick.program->identity(), scratch.product.program->identity(),
        scratch.pick.outputs[0].data(),   scratch.product.outputs[0].data(),
        scratch.probabilities.data(),     out.data()};
  };
  const auto call = [&] {
    return natural_config_gradient_magnitude_pre_exp_fixed_via(device(), weights, metric, scratch,
                                                               out);
  };
  ASSERT_TRUE(call());
  const auto before = places();
  ASSERT_TRUE(call());
  EXPECT_EQ(places(), before);
  EXPECT_EQ(out, Weights(1000, 65000));

  SignedPickScratch signed_scratch;
  Signed gradient;
  ASSERT_TRUE(
      config_gradient_pre_exp_fixed_signed_via(device(), weights, signed_scratch, gradient));
  const std::int32_t* place = gradient.data();
  const std::uint32_t* probabilities = signed_scratch.probabilities.data();
  ASSERT_TRUE(
      config_gradient_pre_exp_fixed_signed_via(device(), weights, signed_scratch, gradient));
  EXPECT_EQ(gradient.data(), place);
  EXPECT_EQ(signed_scratch.probabilities.data(), probabilities);
}

// One scratch for growing and shrinking sizes, and for both signs.
TEST_P(Pick, ScratchServesOtherSizes) {
  NaturalScratch scratch;
  Weights out;
  Signed signed_out;
  for (const std::size_t n : {2U, 5U, 1U, 5U}) {
    const Weights weights(n, 9);
    ASSERT_TRUE(natural_config_gradient_magnitude_pre_exp_fixed_via(
        device(), weights, Weights(n * n, kOne), scratch, out));
    const auto total = static_cast<std::uint32_t>(kOne / n * n);
    EXPECT_EQ(out, Weights(n, total));
    ASSERT_TRUE(natural_config_gradient_pre_exp_fixed_signed_via(
        device(), weights, Signed(n * n, kOne), scratch, signed_out));
    EXPECT_EQ(signed_out, Signed(n, -static_cast<std::int32_t>(total)));
  }
}

TEST(PickErrors, SayWhatIsWrong) {
  testing::BrokenDispatcher never(Outputs{});
  const auto none = pick_config_pre_exp_fixed_via(never, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::bad_inputs);
  EXPECT_EQ(none.error().message, "pre_exp has 0 weights; give 1 to 2^32 - 1 candidates");
  EXPECT_EQ(config_gradient_pre_exp_fixed_signed_via(never, {}).error(), none.error());
  for (const std::size_t size : {0U, 3U, 5U}) {
    const auto got =
        natural_config_gradient_magnitude_pre_exp_fixed_via(never, Weights{1, 2}, Weights(size, 1));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().kind, ErrorKind::bad_inputs);
    EXPECT_EQ(
        natural_config_gradient_pre_exp_fixed_signed_via(never, Weights{1, 2}, Signed(size, 1))
            .error(),
        got.error());
  }
  EXPECT_EQ(
      natural_config_gradient_magnitude_pre_exp_fixed_via(never, {}, {}).error().message,
      "the metric has 0 elements for 0 numbers and n = 0; give n * n of them for n, n above 0");
  // The shape is checked before anything runs.
  EXPECT_EQ(never.calls(), 0);
}

TEST(PickErrors, ADeviceThatGivesBackNothingIsAtFault) {
  testing::BrokenDispatcher nothing(Outputs{});
  testing::BrokenDispatcher three_bytes(Outputs{std::vector<std::byte>(3)});
  for (auto* broken : {&nothing, &three_bytes}) {
    Weights out{42};
    PickScratch scratch;
    const auto got = pick_config_pre_exp_fixed_via(*broken, Weights{1, 2}, scratch, out);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().kind, ErrorKind::backend);
    EXPECT_EQ(got.error().message,
              "the device gave back no vector of probabilities of 2 elements; try another device");
    EXPECT_EQ(out, Weights{42});
  }
  const Error lost{ErrorKind::backend, "", "device lost"};
  testing::BrokenDispatcher failing(lost);
  EXPECT_EQ(pick_config_pre_exp_fixed_via(failing, Weights{1}).error(), lost);
}

TEST(PickErrors, NullDeviceGivesZerosOfTheRightSize) {
  auto dispatcher = make_dispatcher(open_null());
  EXPECT_EQ(*pick_config_pre_exp_fixed_via(*dispatcher, Weights{1, 2}), (Weights{0, 0}));
}

TEST(PickOnHost, GivesTheContractsValues) {
  EXPECT_GT((*pick_config(Reals{5, 1, 5}, 0.01))[1], 0.99);
  const Reals even = *pick_config(Reals{1, 5, 9}, 1000);
  for (const double p : even) EXPECT_NEAR(p, 1.0 / 3, 0.01);
  EXPECT_EQ(*pick_config({}, 1), Reals{});
  EXPECT_EQ(*softmax({}), Reals{});
  EXPECT_EQ(*softmax(Reals{1e308, 1e308}), (Reals{0.5, 0.5}));
  EXPECT_EQ(*differentiable_argmax(Reals{0, 1e300}, 1e-10), (Reals{0, 1}));
  const Reals x{0.5, -1, 2};
  const Reals halved{0.25, -0.5, 1};
  const Reals a = *differentiable_argmax(x, 2);
  const Reals b = *softmax(halved);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(a[k], b[k]);
}

TEST(PickOnHost, GradientIsMinusTheChances) {
  const Reals costs{3, 1, 4, 1.5, 9};
  const Reals gradient = *config_gradient(costs, 2);
  const Reals chances = *pick_config(costs, 2);
  for (std::size_t k = 0; k < costs.size(); ++k) EXPECT_DOUBLE_EQ(gradient[k], -chances[k]);
  EXPECT_NEAR(std::accumulate(gradient.begin(), gradient.end(), 0.0), -1, 1e-12);
}

TEST(PickOnHost, BestIsTheFirstMinimumOfTheTotalOrder) {
  struct Case {
    Reals costs;
    std::size_t best;
  };
  for (const auto& [costs, best] :
       {Case{{3, 1, 4, 1.5, 9}, 1}, Case{{2, 1, 1}, 1}, Case{{0.0, -0.0}, 1}, Case{{kNaN, 1}, 1},
        Case{{kNaN}, 0}, Case{{1, -kNaN, -kInfinity}, 1}, Case{{kInfinity, kNaN}, 0}}) {
    EXPECT_EQ(*pick_best_config(costs), best) << ::testing::PrintToString(costs);
  }
  const auto none = pick_best_config({});
  EXPECT_EQ(none.error().message, "there are no costs to pick from; give at least one");
}

TEST(PickOnHost, CallersMayOwnTheStorage) {
  Reals out(8);
  Weights weights;
  weights.reserve(8);
  const double* place = out.data();
  const std::uint32_t* weights_place = weights.data();
  const Reals costs{1, 2, 3};
  ASSERT_TRUE(pick_config(costs, 1, out));
  ASSERT_TRUE(config_gradient(costs, 1, out));
  ASSERT_TRUE(pre_exp_of_costs(costs, 1, weights));
  EXPECT_EQ(out.data(), place);
  EXPECT_EQ(out.size(), 3U);
  EXPECT_EQ(weights.data(), weights_place);
}

TEST(PickOnHost, SaysWhatIsWrong) {
  const Reals one{1};
  const Reals bad{1, kInfinity};
  for (const auto& [t, text] : {std::pair{0.0, "0"}, std::pair{-1.0, "-1"},
                                std::pair{kInfinity, "inf"}, std::pair{kNaN, "nan"}}) {
    const std::string message =
        std::string("temperature ") + text + " must be above zero and finite";
    EXPECT_EQ(pre_exp_of_costs(one, t).error().message, message);
    EXPECT_EQ(pick_config(one, t).error().message, message);
    EXPECT_EQ(config_gradient({}, t).error().message, message);
    EXPECT_EQ(differentiable_argmax(one, t).error().message, message);
  }
  const std::string cost = "cost inf of candidate 1 is not finite; leave failed candidates out";
  EXPECT_EQ(pre_exp_of_costs(bad, 1).error().message, cost);
  EXPECT_EQ(pick_config(bad, 1).error().message, cost);
  EXPECT_EQ(config_gradient(bad, 1).error().message, cost);
  EXPECT_EQ(softmax(bad).error().message, "number 1 is inf; it must be finite");
}

TEST(PreExp, GivesTheBestExactlyOne) {
  const Reals costs{12000, 8000, 10000};
  EXPECT_EQ(*pre_exp_of_costs(costs, 4000), (Weights{24109, 65536, 39750}));
  const Reals slow{1e12 + 5, 1e12, 2e12};
  EXPECT_EQ(*pre_exp_of_costs(slow, 5), (Weights{24109, 65536, 0}));
  EXPECT_EQ(*pre_exp_of_costs({}, 1), Weights{});
}

}  // namespace
}  // namespace vyre::substrate
