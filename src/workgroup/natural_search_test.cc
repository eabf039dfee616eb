#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "testing/sample_program.h"
#include "vyre/substrate/workgroup.h"

namespace vyre {
namespace {

const ir::Sequence& searched_program() {
  static const ir::Sequence kSequence = *ir::Sequence::make(testing::sample().program);
  return kSequence;
}

// A device whose times scatter by some per cent around what each size takes.
class NoisyTimer final : public BackendTimer {
 public:
  NoisyTimer(std::map<std::uint32_t, double> means, double noise, unsigned seed)
      : means_(std::move(means)), noise_(0, noise), random_(seed) {}
  Expected<std::uint64_t> measure_candidate_ns(const ir::Sequence&, const Extent& size) override {
    ++asked[size[0]];
    const double mean = means_.at(size[0]);
    if (mean == 0) return std::unexpected(Error{ErrorKind::rejected, "", "too large"});
    return static_cast<std::uint64_t>(mean * std::exp(noise_(random_)));
  }
  std::map<std::uint32_t, int> asked;

 private:
  std::map<std::uint32_t, double> means_;
  std::normal_distribution<double> noise_;
  std::mt19937 random_;
};

std::map<std::uint32_t, double> bowl() {
  return {{32, 20'000}, {64, 12'000}, {128, 10'400}, {256, 10'000}, {512, 14'000}, {1024, 0}};
}

TEST(NaturalSearch, FindsTheBestInNoiseAndMeasuresWhereItIsOpen) {
  auto dispatcher = make_dispatcher(open_reference());
  constexpr unsigned kSeeds = 6;
  unsigned right = 0;
  unsigned certain = 0;
  std::uint32_t total = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    NoisyTimer timer(bowl(), 0.02, seed);
    const auto search =
        natural_search(*dispatcher, timer, searched_program(), candidates_for(1024));
    ASSERT_TRUE(search) << search.error().message;
    right += search->best == 3 ? 1U : 0U;
    certain += search->is_certain ? 1U : 0U;
    total += search->measurements;
    EXPECT_LE(timer.asked[32], 4);
    EXPECT_EQ(timer.asked[1024], 1);  // refused once, and never again
    EXPECT_EQ(search->failed.size(), 1U);
    EXPECT_GE(timer.asked[256] + timer.asked[128], timer.asked[32] + timer.asked[512]);
  }
  EXPECT_GE(right, kSeeds - 1);
  EXPECT_GE(certain, kSeeds - 1);
  EXPECT_LT(total, kSeeds * 40);  // the budget is 96 each
}

TEST(NaturalSearch, SaysTiesAndTakesTheFirstOfThem) {
  auto dispatcher = make_dispatcher(open_reference());
  NoisyTimer timer({{32, 10'010}, {64, 10'000}, {128, 30'000}}, 0, 1);
  const auto search = natural_search(*dispatcher, timer, searched_program(), candidates_for(128));
  ASSERT_TRUE(search);
  EXPECT_TRUE(search->is_certain);
  EXPECT_EQ(search->ties, 2U);
  EXPECT_EQ(search->best, 0U);
  EXPECT_EQ(search->runner_up, 1U);
  EXPECT_EQ(search->measurements, 6U);
}

TEST(NaturalSearch, KeepsToItsBudget) {
  auto dispatcher = make_dispatcher(open_reference());
  for (const std::uint32_t budget : {1U, 3U, 7U, 30U}) {
    NoisyTimer timer({{32, 10'000}, {64, 10'100}, {128, 10'200}}, 0.2, budget);
    const auto search = natural_search(*dispatcher, timer, searched_program(), candidates_for(128),
                                       {.budget = budget});
    ASSERT_TRUE(search);
    EXPECT_LE(search->measurements, budget);
    EXPECT_TRUE(budget != 1 || search->is_certain);  // of one candidate there is no doubt
  }
}

TEST(NaturalSearch, SaysWhatIsWrong) {
  auto dispatcher = make_dispatcher(open_reference());
  NoisyTimer broken({{32, 0}, {64, 0}}, 0, 1);
  EXPECT_EQ(
      natural_search(*dispatcher, broken, searched_program(), candidates_for(64)).error().message,
      "too large");
  EXPECT_EQ(natural_search(*dispatcher, broken, searched_program(), {}).error().message,
            "no measurements; give at least one candidate and a budget");
}

}  // namespace
}  // namespace vyre
