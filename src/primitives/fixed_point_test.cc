// natural_gradient_block_apply, its signed twin and tt_contract_step: the same bits as their
// oracles on every device.

#include <gtest/gtest.h>

#include "testing/adversarial.h"
#include "testing/every_device.h"
#include "testing/oracles/matvec.h"
#include "testing/oracles/softmax.h"
#include "testing/oracles/tt_contract.h"
#include "testing/soak.h"
#include "vyre/substrate/primitives.h"

namespace vyre::primitives {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Signed = std::vector<std::int32_t>;
using testing::Random;

template <class T>
std::vector<T> run(const std::string& device, const Expected<ir::Sequence>& sequence,
                   const std::vector<Input>& inputs) {
  if (!sequence) {
    ADD_FAILURE() << sequence.error().message;
    return {};
  }
  const auto out = testing::dispatcher_on(device).dispatch(*sequence, {.inputs = inputs});
  if (!out) {
    ADD_FAILURE() << out.error().message;
    return {};
  }
  EXPECT_EQ(out->size(), 1U);
  return values_of<T>(out->front());
}

template <class T>
std::vector<T> product_of(const std::string& device, const std::vector<T>& m,
                          const std::vector<T>& grad) {
  const auto n = static_cast<std::uint32_t>(grad.size());
  return run<T>(device,
                std::is_signed_v<T> ? natural_gradient_block_apply_signed(n)
                                    : natural_gradient_block_apply(n),
                {as_input(m), as_input(grad)});
}

Numbers contracted(const std::string& device, const Numbers& acc, const Numbers& core) {
  const auto r_prev = static_cast<std::uint32_t>(acc.size());
  const auto r_next = static_cast<std::uint32_t>(core.size() / acc.size());
  return run<std::uint32_t>(device, tt_contract_step(r_prev, r_next),
                            {as_input(acc), as_input(core)});
}

class FixedPoint : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, FixedPoint, ::testing::ValuesIn(testing::every_device()));

TEST_P(FixedPoint, ProductGivesTheContractsVectors) {
  EXPECT_EQ(product_of<std::uint32_t>(GetParam(), {65536, 0, 0, 32768}, {32768, 32768}),
            (Numbers{32768, 16384}));
  EXPECT_EQ(product_of<std::uint32_t>(GetParam(), {65536}, {7}), (Numbers{7}));
  EXPECT_EQ(product_of<std::uint32_t>(GetParam(), {0xffffffffU, 0xffffffffU, 0, 0},
                                      {0xffffffffU, 0xffffffffU}),
            (Numbers{0xffffffffU, 0}));
}

TEST_P(FixedPoint, SignedProductShiftsDownAndSaturates) {
  EXPECT_EQ(product_of<std::int32_t>(GetParam(), {-65536, 0, 0, 1}, {7, -1}), (Signed{-7, -1}));
  const std::int32_t least = std::numeric_limits<std::int32_t>::min();
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(product_of<std::int32_t>(GetParam(), {least, least, most, most}, {least, least}),
            (Signed{most, least}));
}

TEST_P(FixedPoint, ProductsAgreeWithTheirOracles) {
  Random random(3);
  const std::uint32_t most = testing::cases(1030, 5000);
  for (const std::uint32_t n : testing::sizes_up_to(random, most, testing::cases(4, 20))) {
    const auto m = testing::adversarial<std::uint32_t>(random, std::size_t{n} * n);
    const auto grad = testing::adversarial<std::uint32_t>(random, n);
    EXPECT_EQ(product_of(GetParam(), m, grad), testing::natural_gradient_block_apply(m, grad)) << n;
    const auto signed_m = testing::adversarial<std::int32_t>(random, std::size_t{n} * n);
    const auto signed_grad = testing::adversarial<std::int32_t>(random, n);
    EXPECT_EQ(product_of(GetParam(), signed_m, signed_grad),
              testing::natural_gradient_block_apply(signed_m, signed_grad))
        << n;
  }
}

TEST_P(FixedPoint, SoftmaxAgreesWithItsOracle) {
  Random random(4);
  for (const std::uint32_t n : testing::sizes_up_to(random, 5000, testing::cases(12, 5000))) {
    const auto weights = testing::adversarial<std::uint32_t>(random, n);
    EXPECT_EQ(run<std::uint32_t>(GetParam(), softmax_step(n), {as_input(weights)}),
              testing::softmax_step(weights))
        << n;
  }
}

TEST_P(FixedPoint, ContractionGivesWhatItSays) {
  EXPECT_EQ(contracted(GetParam(), {1}, {65536, 65536}), (Numbers{1, 1}));
  EXPECT_EQ(contracted(GetParam(), {1, 1, 1}, {65536, 131072, 65536, 0, 65536, 0}),
            (Numbers{3, 2}));
  EXPECT_EQ(contracted(GetParam(), {0xffffffffU, 0xffffffffU}, {0xffffffffU, 1, 0xffffffffU, 0}),
            (Numbers{0xffffffffU, 65535}));
}

TEST_P(FixedPoint, ContractionAgreesWithItsOracle) {
  struct Case {
    std::uint32_t r_prev, r_next;
  };
  Random random(5);
  std::vector<Case> table{{1, 5000}, {5000, 1},   {1024, 1024}, {1023, 3},  {1024, 1},
                          {1025, 7}, {700, 1030}, {200'000, 1}, {70'000, 3}};
  for (std::uint32_t k = 0; k < testing::cases(10, 300); ++k) {
    const auto r_prev = static_cast<std::uint32_t>(1 + random() % 5000);
    table.push_back({r_prev, static_cast<std::uint32_t>(1 + random() % (200'000 / r_prev + 1))});
  }
  for (const auto& [r_prev, r_next] : table) {
    const auto acc = testing::adversarial<std::uint32_t>(random, r_prev);
    const auto core = testing::adversarial<std::uint32_t>(random, std::size_t{r_prev} * r_next);
    EXPECT_EQ(contracted(GetParam(), acc, core), testing::tt_contract_step(acc, core))
        << r_prev << " x " << r_next;
  }
}

// Sums of so many terms could leave 64 bits.
TEST_P(FixedPoint, ContractionOfManyLargeTermsSaturates) {
  const Numbers acc(200'000, 0xffffffffU);
  EXPECT_EQ(contracted(GetParam(), acc, Numbers(200'000, 0xffffffffU)), Numbers{0xffffffffU});
  EXPECT_EQ(contracted(GetParam(), acc, Numbers(200'000, 0)), Numbers{0});
}

TEST(FixedPointSizes, LongContractionsUseTheWholeDevice) {
  EXPECT_EQ(tt_contract_step(1023, 1)->def().steps.size(), 1U);
  EXPECT_EQ(tt_contract_step(1024, 1)->def().steps.size(), 2U);
  EXPECT_EQ(tt_contract_step(1024, 1024)->def().steps.size(), 1U);
  EXPECT_TRUE(tt_contract_step(0x3fffffff, 1).has_value());
  EXPECT_TRUE(natural_gradient_block_apply(32767).has_value());
}

TEST(FixedPointSizes, AreRefusedByName) {
  struct Case {
    Expected<ir::Sequence> built;
    const char* message;
  };
  const Case table[] = {
      {natural_gradient_block_apply(0),
       "natural_gradient_block_apply: n * n is 0; there must be at least one element"},
      {natural_gradient_block_apply(65536),
       "natural_gradient_block_apply: n * n is 4294967296; a buffer holds at most 1073741823 "
       "elements"},
      {natural_gradient_block_apply_signed(0xffffffffU),
       "natural_gradient_block_apply_signed: n * n is 18446744065119617025; a buffer holds at most "
       "1073741823 elements"},
      {tt_contract_step(0, 3), "tt_contract_step: r_prev is 0; there must be at least one element"},
      {tt_contract_step(3, 0), "tt_contract_step: r_next is 0; there must be at least one element"},
      {tt_contract_step(65536, 65536),
       "tt_contract_step: r_prev * r_next is 4294967296; a buffer holds at most 1073741823 "
       "elements"},
      {fisher_block(0, 1), "fisher_block: n is 0; there must be at least one element"},
      {fisher_block(1, 0), "fisher_block: k is 0; there must be at least one element"},
      {fisher_block(40000, 1),
       "fisher_block: n * n, padded is 1601200225; a buffer holds at most 1073741823 elements"},
      {fisher_block(1000, 0x3fffffff),
       "fisher_block: k * n, padded is 1089847953390; a buffer holds at most 1073741823 elements"},
      {inverse_sqrt(0), "inverse_sqrt: n is 0; there must be at least one element"},
      {inverse_sqrt(0x3fffffff),
       "inverse_sqrt: n * n, padded is 1152921534671618244; a buffer holds at most 1073741823 "
       "elements"},
  };
  for (const auto& [built, message] : table) {
    ASSERT_FALSE(built.has_value()) << message;
    EXPECT_EQ(built.error().kind, ErrorKind::bad_inputs);
    EXPECT_EQ(built.error().message, message);
  }
}

}  // namespace
}  // namespace vyre::primitives
