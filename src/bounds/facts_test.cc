// Facts proves only what is true: the test tries all values of small random problems.

#include "bounds/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "testing/soak.h"

namespace vyre::bounds {
namespace {

using Values = std::vector<Int>;

constexpr std::size_t kAtoms = 3;

Int value(const Poly& p, const Values& values) {
  Int sum = 0;
  for (const Term& t : p.terms()) {
    Int product = t.coefficient;
    for (std::size_t k = 0; k < t.monomial.degree; ++k) product *= values[t.monomial.atoms[k]];
    sum += product;
  }
  return sum;
}

struct Problem {
  std::vector<Range> ranges;
  std::vector<Poly> facts;
  Poly question;
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  // Half of the questions are sums of the facts, so that many are true.
  Problem make() {
    Problem p;
    for (std::size_t k = 0; k < kAtoms; ++k) {
      const Int low = between(-1, 2);
      p.ranges.push_back({low, low + between(0, 3)});
    }
    for (int k = between(0, 4); k > 0; --k) p.facts.push_back(poly());
    p.question = between(0, 1) == 0 ? poly() : Poly(between(0, 2));
    for (const Poly& fact : p.facts) p.question = p.question + fact * Poly(between(0, 2));
    return p;
  }

 private:
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  Poly atom() { return Poly::of(static_cast<Atom>(between(0, kAtoms - 1))); }

  Poly poly() {
    Poly out(between(-5, 6));
    for (int k = between(1, 3); k > 0; --k) {
      const Poly product = between(0, 2) == 0 ? atom() * atom() : atom();
      out = out + product * Poly(between(-3, 3));
    }
    return out;
  }

  std::mt19937_64 random_;
};

bool next(Values& values, const std::vector<Range>& ranges) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (++values[k] <= ranges[k].high) return true;
    values[k] = ranges[k].low;
  }
  return false;
}

// Whether the question is true for all values for which the facts are true.
bool is_true(const Problem& p) {
  Values values;
  for (const Range& r : p.ranges) values.push_back(r.low);
  do {
    const bool possible =
        std::ranges::all_of(p.facts, [&](const Poly& f) { return value(f, values) >= 0; });
    if (possible && value(p.question, values) < 0) return false;
  } while (next(values, p.ranges));
  return true;
}

TEST(Facts, ProvesOnlyWhatIsTrue) {
  std::uint32_t proved = 0;
  const std::uint32_t count = testing::cases(20'000, 2'000'000);
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    const Problem p = Maker(seed).make();
    Facts facts;
    for (const Range& r : p.ranges) facts.new_atom(r);
    for (const Poly& fact : p.facts) facts.assume(fact);
    const bool holds = facts.holds(p.question);
    proved += holds ? 1 : 0;
    if (holds) {
      ASSERT_TRUE(is_true(p)) << "seed " << seed;
    }
  }
  EXPECT_GT(proved, count / 4);
}

TEST(Facts, ReleaseTakesEverythingBack) {
  Facts facts;
  const Poly n = Poly::of(facts.new_atom({0, 100}));
  const Poly i = Poly::of(facts.new_atom({0, 100}));
  const Facts::Mark mark = facts.mark();
  facts.assume(Poly(9) - n);
  facts.assume(n - i - Poly(1));
  EXPECT_TRUE(facts.holds(n - i - Poly(1)));
  EXPECT_EQ(static_cast<int>(facts.range(i).high), 8);
  facts.release(mark);
  EXPECT_FALSE(facts.holds(n - i - Poly(1)));
  EXPECT_EQ(static_cast<int>(facts.range(i).high), 100);
}

// A proof is kept for the facts that it was found with, and for no others.
TEST(Facts, AnswersAreKeptForTheFactsThatGaveThem) {
  const std::uint32_t count = testing::cases(2'000, 200'000);
  std::uint32_t different = 0;
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    const Problem p = Maker(seed).make();
    Facts facts;
    for (const Range& r : p.ranges) facts.new_atom(r);
    const Facts::Mark mark = facts.mark();
    const bool without = facts.holds(p.question);
    for (const Poly& fact : p.facts) facts.assume(fact);
    const bool with = facts.holds(p.question);
    const std::vector<FactId> assumed = facts.since(mark);
    for (int turn = 0; turn < 2; ++turn) {
      facts.restore(mark, {});
      ASSERT_EQ(facts.holds(p.question), without) << "seed " << seed;
      facts.restore(mark, assumed);
      ASSERT_EQ(facts.holds(p.question), with) << "seed " << seed;
    }
    different += with != without ? 1 : 0;
  }
  EXPECT_GT(different, count / 8);
}

TEST(Facts, RestoreKeepsWhatTwoListsBeginWith) {
  Facts facts;
  const Poly a = Poly::of(facts.new_atom({0, 100}));
  const Poly b = Poly::of(facts.new_atom({0, 100}));
  const Facts::Mark mark = facts.mark();
  facts.assume(Poly(50) - a);
  const Facts::Mark inner = facts.mark();
  facts.assume(Poly(20) - a);
  const std::vector<FactId> first = facts.since(mark);
  facts.release(inner);
  facts.assume(a - b);
  const std::vector<FactId> second = facts.since(mark);
  const auto highs = [&] {
    return std::pair(static_cast<int>(facts.range(a).high), static_cast<int>(facts.range(b).high));
  };
  facts.restore(mark, first);
  EXPECT_EQ(highs(), std::pair(20, 100));
  facts.restore(mark, second);
  EXPECT_EQ(highs(), std::pair(50, 50));
  facts.restore(mark, {});
  EXPECT_EQ(highs(), std::pair(100, 100));
}

// Beyond 2^120 numbers are clamped. An end that was clamped says nothing, and stays so when
// something is added to it.
TEST(Facts, EndsThatAreTooFarAwayAreNoEnds) {
  Facts facts;
  const Int most = (Int{1} << 64U) - 1;
  const Poly x = Poly::of(facts.new_atom({0, most}));
  const Poly y = Poly::of(facts.new_atom({0, most}));
  const Poly large = Poly::of(facts.new_atom({Int{1} << 119U, Int{1} << 119U}));
  const Poly z = Poly::of(facts.new_atom({0, 1000}));
  EXPECT_FALSE(facts.holds(Poly(kMostInt - 1) + large - x * y));
  facts.assume(x * y - z * Poly(Int{1} << 119U) - Poly(1));
  EXPECT_EQ(static_cast<int>(facts.range(z).high), 1000);  // 511 would be true, 1 would not
}

TEST(Facts, UnknownProvesNothing) {
  Facts facts;
  EXPECT_FALSE(facts.holds(Poly::unknown()));
  EXPECT_TRUE(facts.holds(Poly(0)));
  EXPECT_FALSE(facts.holds(Poly(-1)));
  facts.assume(Poly::unknown());
}

TEST(Poly, GrowsOutOfWhatIsKept) {
  Facts facts;
  Poly p = Poly::of(facts.new_atom({0, 1})) + Poly(1);
  for (int k = 0; k < 3; ++k) p = p * p;
  EXPECT_FALSE(p.is_known());  // of degree 8
  EXPECT_FALSE((Poly(Int{1} << 100) * Poly(Int{1} << 100)).is_known());
  EXPECT_FALSE((Poly(kMostInt - 1) + Poly(1)).is_known());
  EXPECT_EQ((Poly(6) * Poly(-7)).constant(), std::optional<Int>(-42));
}

}  // namespace
}  // namespace vyre::bounds
