// When the work is used up, nothing is proved any more, and nothing of that is remembered.

#include "bounds/proof_budget.h"

#include <gtest/gtest.h>

#include "bounds/facts.h"

namespace vyre::bounds {
namespace {

TEST(ProofBudget, IsSharedByAllFactsOfTheThread) {
  ProofBudget budget(1'000'000);
  for (int k = 0; k < 2; ++k) {
    const std::uint64_t before = budget.left();
    Facts facts;
    const Poly n = Poly::of(facts.new_atom({0, 100}));
    const Poly i = Poly::of(facts.new_atom({0, 100}));
    facts.assume(n - i);
    EXPECT_TRUE(facts.holds(n - i));
    EXPECT_LT(budget.left(), before);
  }
}

TEST(ProofBudget, ProvesNothingWithoutWork) {
  Facts facts;
  const Poly n = Poly::of(facts.new_atom({0, 100}));
  const Poly i = Poly::of(facts.new_atom({0, 100}));
  facts.assume(n - i);
  {
    const ProofBudget budget(0);
    EXPECT_TRUE(budget.is_used_up());
    EXPECT_FALSE(facts.holds(n - i));
    EXPECT_TRUE(facts.holds(n));  // plain from the range
    {
      const ProofBudget inner(1'000);
      EXPECT_TRUE(facts.holds(n - i + Poly(1)));
    }
    EXPECT_FALSE(ProofBudget::has_work());
  }
  EXPECT_TRUE(ProofBudget::has_work());
  EXPECT_TRUE(facts.holds(n - i));
}

}  // namespace
}  // namespace vyre::bounds
