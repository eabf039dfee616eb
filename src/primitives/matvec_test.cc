#include "testing/oracles/matvec.h"

#include <gtest/gtest.h>

#include <random>

#include "vyre/dispatch.h"
#include "vyre/primitives.h"

namespace vyre::primitives {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers product_of(const Numbers& m, const Numbers& grad) {
  const auto sequence = natural_gradient_block_apply(static_cast<std::uint32_t>(grad.size()));
  EXPECT_TRUE(sequence) << sequence.error().message;
  const std::vector<backend::Input> inputs{backend::as_input(m), backend::as_input(grad)};
  const auto out =
      backend::make_dispatcher(backend::open_reference())->dispatch(*sequence, {.inputs = inputs});
  EXPECT_TRUE(out) << out.error().message;
  return backend::values_of<std::uint32_t>((*out)[0]);
}

TEST(NaturalGradientBlockApply, GivesTheContractsVectors) {
  EXPECT_EQ(product_of({65536, 0, 0, 32768}, {32768, 32768}), (Numbers{32768, 16384}));
  EXPECT_EQ(product_of({65536}, {7}), (Numbers{7}));
  EXPECT_EQ(product_of({0xffffffffU, 0xffffffffU, 0, 0}, {0xffffffffU, 0xffffffffU}),
            (Numbers{0xffffffffU, 0}));
}

TEST(NaturalGradientBlockApply, AgreesWithItsOracle) {
  std::mt19937_64 generator(3);
  for (const std::uint32_t n : {1U, 2U, 3U, 17U, 255U, 256U, 257U}) {
    Numbers m(std::size_t{n} * n);
    Numbers grad(n);
    for (auto& v : m) v = static_cast<std::uint32_t>(generator() >> (generator() % 64));
    for (auto& v : grad) v = static_cast<std::uint32_t>(generator() >> (generator() % 64));
    EXPECT_EQ(product_of(m, grad), testing::natural_gradient_block_apply(m, grad)) << n;
  }
}

TEST(NaturalGradientBlockApply, RefusesSizesByName) {
  EXPECT_EQ(natural_gradient_block_apply(0).error().kind, ErrorKind::bad_inputs);
  const auto huge = natural_gradient_block_apply(65536);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().kind, ErrorKind::bad_inputs);
  EXPECT_NE(huge.error().message.find("n * n"), std::string::npos) << huge.error().message;
}

}  // namespace
}  // namespace vyre::primitives
