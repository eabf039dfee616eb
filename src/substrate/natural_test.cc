// Natural-gradient steps, on the host and on every device.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "testing/broken_dispatcher.h"
#include "testing/every_device.h"
#include "testing/oracles/linear.h"
#include "testing/valley.h"
#include "vyre/substrate/natural_gradient.h"
#include "vyre/substrate/natural_loop.h"

namespace vyre::substrate {
namespace {

using Reals = std::vector<double>;
using Floats = std::vector<float>;
using Weights = std::vector<std::uint32_t>;
using Signed = std::vector<std::int32_t>;
using ::testing::DoubleNear;
using ::testing::Pointwise;

constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();

class Natural : public ::testing::TestWithParam<std::string> {
 protected:
  Dispatcher& device() { return testing::dispatcher_on(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Natural, ::testing::ValuesIn(testing::every_device()));

TEST(NaturalOnHost, GivesTheContractsValues) {
  const Reals identity = *identity_fisher_block(2);
  EXPECT_EQ(identity, (Reals{1, 0, 0, 1}));
  EXPECT_EQ(*identity_fisher_block(0), Reals{});
  EXPECT_EQ(*identity_fisher_q16(2), (Weights{65536, 0, 0, 65536}));
  EXPECT_EQ(*precondition_autotune_gradient(identity, Reals{3, 4}, 2), (Reals{3, 4}));
  EXPECT_EQ(*precondition_autotune_gradient(Reals{1, 0, 0, 0.5}, Reals{10, 10}, 2), (Reals{10, 5}));
  EXPECT_EQ(*autotune_step(identity, Reals{1, 2}, 2, 0.1), (Reals{-0.1, -0.2}));
  const Reals none = *autotune_step(identity, Reals{1, 2}, 2, 0);
  for (const double s : none) EXPECT_EQ(s, 0);
  EXPECT_EQ(*precondition_autotune_gradient({}, {}, 0), Reals{});
}

TEST(NaturalOnHost, WrongLengthsAreErrors) {
  struct Case {
    std::size_t cells, numbers, n;
  };
  for (const auto& [cells, numbers, n] :
       {Case{3, 2, 2}, Case{4, 1, 2}, Case{4, 2, 1}, Case{1, 0, 0}, Case{0, 2, 2}, Case{5, 2, 2}}) {
    const auto got = precondition_autotune_gradient(Reals(cells), Reals(numbers), n);
    ASSERT_FALSE(got) << cells << " " << numbers << " " << n;
    EXPECT_EQ(got.error().kind, ErrorKind::bad_inputs);
    EXPECT_EQ(autotune_step(Reals(cells), Reals(numbers), n, 1).error(), got.error());
  }
  EXPECT_EQ(precondition_autotune_gradient(Reals(3), Reals(2), 2).error().message,
            "the matrix has 3 elements and the gradient 2 for n = 2; give n * n and n");
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(identity_fisher_block(huge).error().message,
            "n is 18446744073709551615; a matrix has at most 65535 rows");
  EXPECT_EQ(identity_fisher_q16(65536).error().message,
            "n is 65536; a matrix has at most 65535 rows");
}

TEST_P(Natural, OneScratchServesDifferentPrograms) {
  ProgramScratch scratch;
  Floats root;
  Weights out;
  Signed signed_out;
  for (int turn = 0; turn < 2; ++turn) {
    ASSERT_TRUE(inverse_sqrt_via(device(), Floats{4}, 1, scratch, root));
    EXPECT_NEAR(root[0], 0.5, 1e-4);
    ASSERT_TRUE(pick_config_pre_exp_fixed_via(device(), Weights{7}, scratch, out));
    EXPECT_EQ(out, Weights{65536});
    ASSERT_TRUE(precondition_autotune_gradient_fixed_via(device(), Weights{kOne}, Weights{5}, 1,
                                                         scratch, out));
    EXPECT_EQ(out, Weights{5});
    ASSERT_TRUE(precondition_autotune_gradient_fixed_signed_via(device(), Signed{kOne}, Signed{-5},
                                                                1, scratch, signed_out));
    EXPECT_EQ(signed_out, Signed{-5});
  }
}

TEST(NaturalOnHost, CallersMayOwnTheStorage) {
  Reals out(16);
  Weights fixed(16);
  const double* place = out.data();
  const std::uint32_t* fixed_place = fixed.data();
  ASSERT_TRUE(identity_fisher_block(3, out));
  ASSERT_TRUE(precondition_autotune_gradient(Reals(4, 1.0), Reals{1, 2}, 2, out));
  ASSERT_TRUE(autotune_step(Reals(4, 1.0), Reals{1, 2}, 2, 1, out));
  ASSERT_TRUE(identity_fisher_q16(4, fixed));
  EXPECT_EQ(out.data(), place);
  EXPECT_EQ(fixed.data(), fixed_place);
}

TEST_P(Natural, PreconditionsInFixedPoint) {
  EXPECT_EQ(*precondition_autotune_gradient_fixed_via(device(), Weights{65536, 0, 0, 32768},
                                                      Weights{10, 10}, 2),
            (Weights{10, 5}));
  EXPECT_EQ(*precondition_autotune_gradient_fixed_signed_via(device(), Signed{65536, 0, 0, 32768},
                                                             Signed{-10, -11}, 2),
            (Signed{-10, -6}));
  ProgramScratch scratch;
  Weights out;
  const Weights identity = *identity_fisher_q16(100);
  const Weights grad(100, 77);
  const auto call = [&] {
    return precondition_autotune_gradient_fixed_via(device(), identity, grad, 100, scratch, out);
  };
  ASSERT_TRUE(call());
  const void* program = scratch.program->identity();
  const std::uint32_t* place = out.data();
  ASSERT_TRUE(call());
  EXPECT_EQ(scratch.program->identity(), program);
  EXPECT_EQ(out.data(), place);
  EXPECT_EQ(out, grad);
}

// diag(4, 1/4): the whitened gradient has factors 1/2 and 2, the natural one 1/4 and 4.
TEST_P(Natural, NaturalAndWhitenedAreNotTheSame) {
  const Floats fisher{4, 0, 0, 0.25F};
  EXPECT_THAT(*whitened_gradient_via(device(), fisher, Reals{8, 3}),
              Pointwise(DoubleNear(1e-4), Reals{4, 6}));
  EXPECT_THAT(*natural_gradient_via(device(), fisher, Reals{8, 3}),
              Pointwise(DoubleNear(1e-4), Reals{2, 12}));
  // A zero matrix has the identity as its root.
  EXPECT_EQ(*natural_gradient_via(device(), Floats(4, 0.0F), Reals{8, 3}), (Reals{8, 3}));
}

TEST_P(Natural, OneTurnOfTheLoop) {
  // Variances 9/4 and 1/4 around their means, damped by 1/4: F = diag(5/2, 1/2).
  const Floats values{0, 1, 3, 1, 0, 2, 3, 2};
  const Floats weights(4, 1.0F);
  const Samples samples{values, weights, 2};
  EXPECT_THAT(*damped_fisher_via(device(), samples, 0.25F),
              Pointwise(::testing::FloatNear(1e-5F), Floats{2.5F, 0, 0, 0.5F}));
  StepScratch scratch;
  Reals step;
  ASSERT_TRUE(natural_step_via(device(), samples, 0.25F, Reals{5, 5}, 0.5, scratch, step));
  EXPECT_THAT(step, Pointwise(DoubleNear(1e-4), Reals{-1, -5}));
  const auto places = [&] {
    return std::array<const void*, 8>{scratch.fisher_program.program->identity(),
                                      scratch.fisher_program.outputs[0].data(),
                                      scratch.fisher.data(),
                                      scratch.root.root_program.program->identity(),
                                      scratch.root.root_program.outputs[0].data(),
                                      scratch.root.root.data(),
                                      scratch.root.whitened.data(),
                                      step.data()};
  };
  const auto before = places();
  ASSERT_TRUE(natural_step_via(device(), samples, 0.25F, Reals{5, 5}, 0.5, scratch, step));
  EXPECT_EQ(places(), before);
  EXPECT_EQ(*natural_step_via(device(), samples, 0.25F, Reals{5, 5}, 0.5), step);
}

TEST_P(Natural, AgreesWithTheOracleAtRandom) {
  std::mt19937 random(31);
  std::normal_distribution<float> normal;
  for (const std::size_t n : {1U, 7U, 40U}) {
    Floats values(n * 3 * n);
    for (float& x : values) x = normal(random);
    const Floats weights(3 * n, 1.0F);
    const auto fisher = damped_fisher_via(device(), {values, weights, n}, 0.1F);
    ASSERT_TRUE(fisher) << fisher.error().message;
    Reals g(n);
    for (double& x : g) x = normal(random);
    const Reals root = testing::inverse_sqrt(*fisher, n);
    const Reals whitened = *precondition_autotune_gradient(root, g, n);
    EXPECT_THAT(*whitened_gradient_via(device(), *fisher, g),
                Pointwise(DoubleNear(1e-3), whitened));
    EXPECT_THAT(*natural_gradient_via(device(), *fisher, g),
                Pointwise(DoubleNear(1e-2), *precondition_autotune_gradient(root, whitened, n)));
  }
}

TEST_P(Natural, NonConvergenceIsAnErrorWithItsResidual) {
  for (const Floats& m :
       {Floats{1, 0, 0, -1}, Floats{1, 1, 1, 1}, Floats{kFloatInfinity, 0, 0, 1}}) {
    const auto got = inverse_sqrt_via(device(), m, 2);
    ASSERT_FALSE(got) << ::testing::PrintToString(m);
    EXPECT_EQ(got.error().kind, ErrorKind::bad_inputs);
    EXPECT_THAT(got.error().message,
                ::testing::MatchesRegex(
                    "the inverse square root did not converge: its residual is [0-9.e+inf]+, not "
                    "below 0.0001; the matrix must be symmetric and positive definite: add to its "
                    "diagonal"));
  }
}

TEST(NaturalErrors, SayWhatIsWrong) {
  testing::BrokenDispatcher never(Outputs{});
  struct Case {
    Floats values, weights;
    std::size_t n;
    float lambda;
    const char* message;
  };
  const Case table[] = {
      {{1, 2, 3},
       {1},
       2,
       1,
       "there are 3 values for 1 samples of 2 numbers; give samples * n, both above 0"},
      {{},
       {},
       0,
       1,
       "there are 0 values for 0 samples of 0 numbers; give samples * n, both above 0"},
      {{1, 2}, {1}, 2, 0, "lambda 0 must be above zero and finite"},
      {{1, 2}, {1}, 2, kFloatInfinity, "lambda inf must be above zero and finite"},
      {{1, 2, kFloatInfinity, 4},
       {1, 1},
       2,
       1,
       "sample 1 has the value inf; leave failed measurements out"},
      {{1, 2}, {-1}, 2, 1, "weight -1 of sample 0 must be finite and not negative"},
      {{1, 2}, {kFloatInfinity}, 2, 1, "weight inf of sample 0 must be finite and not negative"},
      {{1, 2}, {0}, 2, 1, "the weights add up to 0; their sum must be above zero and fit an f32"},
  };
  for (const auto& [values, weights, n, lambda, message] : table) {
    const auto got = damped_fisher_via(never, {values, weights, n}, lambda);
    ASSERT_FALSE(got) << message;
    EXPECT_EQ(got.error().kind, ErrorKind::bad_inputs);
    EXPECT_EQ(got.error().message, message);
    EXPECT_EQ(natural_step_via(never, {values, weights, n}, lambda, Reals(n), 1).error(),
              got.error());
  }
  const Floats one{1};
  EXPECT_EQ(natural_step_via(never, {one, one, 1}, 1, Reals{1, 2}, 1).error().message,
            "the gradient has 2 numbers, the samples 1; give as many");
  EXPECT_EQ(inverse_sqrt_via(never, Floats(3), 2).error().message,
            "the matrix has 3 elements for 2 numbers and n = 2; give n * n of them for n, n above "
            "0");
  EXPECT_EQ(natural_gradient_via(never, Floats(3), Reals(2)).error().message,
            "the Fisher block has 3 elements for 2 numbers and n = 2; give n * n of them for n, n "
            "above 0");
  EXPECT_FALSE(precondition_autotune_gradient_fixed_via(never, Weights(4), Weights(2), 1));
  EXPECT_FALSE(precondition_autotune_gradient_fixed_signed_via(never, Signed(4), Signed(1), 2));
  EXPECT_EQ(never.calls(), 0);
}

TEST(NaturalErrors, ADeviceThatGivesBackNothingIsAtFault) {
  testing::BrokenDispatcher broken(Outputs{});
  const Floats one{1};
  const auto fisher = damped_fisher_via(broken, {one, one, 1}, 1);
  EXPECT_EQ(fisher.error().kind, ErrorKind::backend);
  EXPECT_EQ(fisher.error().message,
            "the device gave back no Fisher block of 1 elements; try another device");
  const auto root = inverse_sqrt_via(broken, one, 1);
  EXPECT_EQ(root.error().kind, ErrorKind::backend);
  EXPECT_EQ(root.error().message, "the device gave back no residual; try another device");
  EXPECT_EQ(
      precondition_autotune_gradient_fixed_via(broken, Weights{1}, Weights{1}, 1).error().message,
      "the device gave back no gradient of 1 elements; try another device");
}

// In an elongated valley the closed loop needs fewer measurements than plain descent; in a round
// one it needs more. docs/substrate.md has the figures.
TEST(ClosedLoop, PaysInElongatedValleysOnly) {
  auto& device = testing::dispatcher_on("reference");
  const auto whitened = [&](double condition) {
    return testing::walk_preconditioned(testing::Valley(condition, 5), testing::Metric::whitened,
                                        device, 5, 100'000);
  };
  const auto plain = [](double condition) {
    return testing::walk_plain(testing::Valley(condition, 5), 1.5 / condition, 100'000);
  };
  EXPECT_GT(whitened(1000), 0U);
  EXPECT_LT(whitened(1000) * 4, plain(1000));
  EXPECT_GT(whitened(1), plain(1));
  EXPECT_GT(testing::walk_preconditioned(testing::Valley(1000, 5), testing::Metric::natural, device,
                                         5, 100'000),
            0U);
}

}  // namespace
}  // namespace vyre::substrate
