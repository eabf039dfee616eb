// Many ranks with caches of every kind agree again and again: one exchange each, equal digests.

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <fstream>
#include <random>

#include "testing/ranks.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

using testing::busy_program;
using testing::Rank;
using testing::wrong_program;

constexpr std::size_t kRanks = 64;
constexpr std::size_t kSizes[] = {8, 9, 64};

enum class Kind : std::uint8_t { cold, warm, warmer, corrupt, foreign };
constexpr std::size_t kKinds = 5;

// A folder of each kind of cache, with its file.
class Caches {
 public:
  Caches() {
    for (std::size_t k = 0; k < kKinds; ++k) {
      const auto kind = static_cast<Kind>(k);
      Rank maker({.files = {.folder = folder_of(kind)}});
      fill(maker, kind);
      EXPECT_TRUE(maker.runtime.cache().save());
      if (kind == Kind::corrupt) {
        std::ofstream(maker.runtime.cache().file(), std::ios::binary) << "\xff\0 no toml";
      }
    }
  }

  std::filesystem::path folder_of(Kind kind) const {
    return folder_ / std::to_string(static_cast<int>(kind));
  }

 private:
  static void fill(Rank& rank, Kind kind) {
    const bool is_foreign = kind == Kind::foreign;
    const std::uint32_t samples = kind == Kind::warmer ? 20 : 10;
    if (kind == Kind::cold) return;
    for (const std::size_t n : kSizes) {
      const auto work = static_cast<std::int64_t>(n + samples);
      const Config config{{"work", work}, {"block", std::int64_t{16}}};
      rank.decide(busy_program(), n, config, samples,
                  is_foreign ? testing::foreign_identity() : rank.runtime.cache().identity());
    }
  }

  testing::TemporaryFolder folder_;
};

// One schedule: ranks of random kinds agree twice, at random moments, and do something in between.
class Schedules {
 public:
  explicit Schedules(std::uint32_t count) : count_(count) {}

  void run() {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      threads.emplace_back([this, rank] {
        std::mt19937_64 random(rank);
        for (std::uint32_t k = 0; k < count_; ++k) play(rank, random);
      });
    }
  }

 private:
  static constexpr std::size_t kRounds = 2;

  void play(std::size_t number, std::mt19937_64& random) {
    Rank rank({.files = {.folder = caches_.folder_of(static_cast<Kind>(random() % kKinds))}},
              device_);
    for (std::size_t round = 0; round < kRounds; ++round) {
      for (auto turns = random() % 4; turns > 0; --turns) std::this_thread::yield();
      const std::size_t before = meeting_.calls_of(number);
      const auto agreement = rank.runtime.agree(meeting_.exchange_of(number), {.ranks = kRanks});
      digests_[number] = agreement ? agreement->digest : "error: " + agreement.error().message;
      if (meeting_.calls_of(number) != before + 1) digests_[number] = "not one exchange";
      together_.arrive_and_wait();
      if (number == 0) compare();
      together_.arrive_and_wait();
      meddle(rank, random);
    }
  }

  // What ranks may do between two agreements: decide, and find that something does not hold.
  static void meddle(Rank& rank, std::mt19937_64& random) {
    const std::size_t n = kSizes[random() % std::size(kSizes)];
    const auto choice = random() % 16;
    if (choice == 0) rank.decide(wrong_program(), n, {{"tile", std::int64_t{3}}}, 5);
    if (choice == 1) rank.decide(busy_program(), n, {{"work", 1}, {"block", 32}}, 99);
    if (choice == 2) {
      const auto result = rank.launch(busy_program(), n);
      EXPECT_TRUE(result) << result.error().message;
      EXPECT_EQ(result.value_or(std::vector<std::uint32_t>{}), testing::busy_result(n));
    }
  }

  void compare() {
    for (const std::string& digest : digests_) {
      EXPECT_EQ(digest.size(), 64U) << digest;
      EXPECT_EQ(digest, digests_.front());
    }
  }

  const std::uint32_t count_;
  const Caches caches_;
  const std::shared_ptr<Device> device_ = open_reference({.threads = 1});
  testing::Meeting meeting_{kRanks};
  std::barrier<> together_{kRanks};
  std::vector<std::string> digests_ = std::vector<std::string>(kRanks);
};

TEST(AgreeStress, SixtyFourRanksEndWithEqualDigests) {
  Schedules schedules(testing::cases(100, 1000, 3));
  schedules.run();
}

// Launches of other threads go on while their rank agrees.
TEST(AgreeStress, LaunchesBesideAgreements) {
  auto ranks = testing::make_ranks(2);
  testing::Meeting meeting(2);
  std::atomic<bool> is_over{false};
  std::vector<std::jthread> launchers;
  for (const auto& rank : ranks) {
    launchers.emplace_back([&, one = rank.get()] {
      for (std::size_t n = 0; !is_over; n = (n + 1) % std::size(kSizes)) {
        const auto result = one->launch(busy_program(), kSizes[n]);
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(*result, testing::busy_result(kSizes[n]));
      }
    });
  }
  for (std::uint32_t k = 0; k < testing::cases(50, 1000, 20); ++k) {
    const auto work = static_cast<std::int64_t>(1 + k);
    ranks[k % 2]->decide(busy_program(), kSizes[k % 3], {{"work", work}, {"block", 16}}, k);
    const auto agreements = testing::agree_all(ranks, meeting, {.ranks = 2});
    for (const auto& one : agreements) EXPECT_TRUE(one) << one.error().message;
    if (!agreements[0] || !agreements[1]) break;
    EXPECT_EQ(agreements[0]->digest, agreements[1]->digest);
  }
  is_over = true;
}

}  // namespace
}  // namespace vyre
