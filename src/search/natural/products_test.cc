// Products: sizes whose products are equal are alike, whatever the sizes are.

#include "search/natural/products.h"

#include <gtest/gtest.h>

#include "search/natural/encoding.h"
#include "vyre/space.h"

namespace vyre::natural {
namespace {

Group sizes(std::vector<double> values) {
  return {.values = static_cast<std::uint32_t>(values.size()),
          .coordinates = {},
          .sizes = std::move(values)};
}

const std::vector<Group> kBlock{sizes({4, 8, 16, 24}), sizes({16, 32, 64})};

TEST(Products, EqualProductsAreAlike) {
  const Products products(kBlock);
  const std::vector<Code> wide{0, 2};    // 4 * 64
  const std::vector<Code> square{2, 0};  // 16 * 16
  EXPECT_FLOAT_EQ(products.likeness(wide, square), 1);
}

TEST(Products, UnequalProductsAreLessAlikeTheFurtherApartTheyAre) {
  const Products products(kBlock);
  const std::vector<Code> least{0, 0};     // 64
  const std::vector<Code> next{0, 1};      // 128
  const std::vector<Code> greatest{2, 2};  // 1024
  EXPECT_LT(products.likeness(least, next), 1);
  EXPECT_LT(products.likeness(least, greatest), products.likeness(least, next));
  EXPECT_GT(products.likeness(least, greatest), 0);
}

TEST(Products, FactorsCountBesideTheLogarithm) {
  const Products products(std::vector<Group>{sizes({1, 15, 16, 256}), sizes({1, 16, 17, 256})});
  const std::vector<Code> even{2, 1};    // 16 * 16
  const std::vector<Code> odd{1, 2};     // 15 * 17, one less
  const std::vector<Code> larger{3, 1};  // 256 * 16
  EXPECT_LT(products.likeness(even, odd), products.likeness(even, larger));
}

TEST(Products, ARowHoldsTheLikenessOfEach) {
  const Products products(kBlock);
  const std::vector<std::vector<Code>> codes{{0, 1, 3}, {2, 2, 0}};
  const std::vector<Code> x{3, 1};
  Eigen::ArrayXf row(3);
  products.row(x, codes, row);
  for (Eigen::Index i = 0; i < row.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_FLOAT_EQ(row[i], products.likeness(x, std::vector<Code>{codes[0][k], codes[1][k]}));
  }
}

TEST(Products, PairsWithoutSizesOrWithTooManyProductsAreLeftOut) {
  std::vector<double> many;
  for (int k = 1; k <= 100; ++k) many.push_back(2 * k + 1);
  EXPECT_TRUE(Products(std::vector<Group>{sizes({1, 2, 4}), sizes({})}).empty());
  EXPECT_TRUE(Products(std::vector<Group>{sizes(many), sizes(many)}).empty());
  EXPECT_FALSE(Products(std::vector<Group>{sizes(many), sizes({1, 2})}).empty());
}

// Three sizes of `count` values each.
space::Space space_of(std::int64_t count) {
  space::Definition definition;
  for (const char* name : {"x", "y", "z"}) {
    space::Parameter parameter{.name = name, .values = {}};
    for (std::int64_t k = 1; k <= count; ++k) parameter.values.emplace_back(k);
    definition.parameters.push_back(std::move(parameter));
  }
  return *space::Space::build(std::move(definition));
}

TEST(Products, ASmallSpaceHasNone) {
  EXPECT_TRUE(Encoding(space_of(12)).products().empty());
  EXPECT_FALSE(Encoding(space_of(13)).products().empty());
}

}  // namespace
}  // namespace vyre::natural
