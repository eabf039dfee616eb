// Products and quotients by table are those of the products themselves.

#include "bounds/monomials.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace vyre::bounds {
namespace {

Monomial random_product(std::mt19937_64& random) {
  Monomial out;
  for (std::uint64_t k = random() % 4; k > 0; --k) {
    out = *out.times(Monomial{{static_cast<Atom>(random() % 5)}, 1});
  }
  return out;
}

TEST(Monomials, TablesSayWhatArithmeticSays) {
  std::mt19937_64 random(1);
  Monomials all;
  for (int k = 0; k < 20'000; ++k) {
    const Monomial a = random_product(random);
    const Monomial b = random_product(random);
    const MonomialId product = all.product(all.id_of(a), all.id_of(b));
    const MonomialId quotient = all.quotient(all.id_of(a), all.id_of(b));
    const auto true_product = a.times(b);
    const auto true_quotient = a.divided_by(b);
    ASSERT_EQ(product, true_product ? all.id_of(*true_product) : Monomials::kNone);
    ASSERT_EQ(quotient, true_quotient ? all.id_of(*true_quotient) : Monomials::kNone);
  }
  EXPECT_EQ(all.id_of({}), Monomials::kOne);
}

TEST(PairTable, FindsWhatWasInserted) {
  std::mt19937_64 random(2);
  PairTable table;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> truth;
  for (std::uint32_t k = 0; k < 50'000; ++k) {
    const auto a = static_cast<std::uint32_t>(random() % 300);
    const auto b = static_cast<std::uint32_t>(random() % 300);
    if (truth.try_emplace({a, b}, k).second) table.insert(a, b, k);
  }
  EXPECT_EQ(table.size(), truth.size());
  for (std::uint32_t a = 0; a < 300; ++a) {
    for (std::uint32_t b = 0; b < 300; ++b) {
      const auto it = truth.find({a, b});
      const std::uint32_t* found = table.find(a, b);
      ASSERT_EQ(found != nullptr, it != truth.end());
      if (found != nullptr) {
        ASSERT_EQ(*found, it->second);
      }
    }
  }
}

}  // namespace
}  // namespace vyre::bounds
