#include "vyre/substrate/chain_fusion.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "testing/broken_dispatcher.h"
#include "testing/every_device.h"
#include "testing/not_finite.h"
#include "testing/soak.h"

namespace vyre::substrate {
namespace {

using Ranks = std::vector<std::uint64_t>;

using testing::kInfinity;
using testing::kNaN;

class Chain : public ::testing::TestWithParam<std::string> {
 protected:
  Dispatcher& device() { return testing::dispatcher_on(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Chain, ::testing::ValuesIn(testing::every_device()));

TEST_P(Chain, PressureIsTheProductOfTheRanks) {
  struct Case {
    Ranks ranks;
    double expected;
  };
  for (const auto& [ranks, expected] : {
           Case{{}, 0},
           Case{{0}, 1},
           Case{{0, 0, 0}, 1},
           Case{{2, 3, 5}, 30},
           Case{{0, 2, 0, 3, 5, 0}, 30},
           Case{{1024, 1024}, 1048576},
           Case{{1}, 1},
           Case{{1 << 20}, 1048576},
           Case{{257, 3, 65537, 5, 17}, 4294967295.0},
           Case{{64, 64, 8}, 32768},
       }) {
    const auto got = fusion_pressure_via(device(), ranks);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(*got, expected) << ::testing::PrintToString(ranks);
  }
}

TEST_P(Chain, RandomChainsHaveTheirProduct) {
  std::mt19937_64 random(41);
  ChainScratch scratch;
  for (std::uint32_t k = 0; k < testing::cases(20, 2000); ++k) {
    Ranks ranks;
    std::uint64_t product = 1;
    std::uint64_t before = 1;
    for (std::uint32_t links = 0; links < 8; ++links) {
      const std::uint64_t rank = random() % (1ULL << (random() % 11));
      if (rank != 0 && (product * rank > kMostPressure || before * rank > kMostCoreCells)) continue;
      ranks.push_back(rank);
      if (rank != 0) product *= before = rank;
    }
    if (ranks.empty()) continue;
    EXPECT_EQ(*fusion_pressure_via(device(), ranks, scratch), static_cast<double>(product));
    for (const double t : {1.0, 2.5, 8.0, std::pow(static_cast<double>(product), 0.25)}) {
      EXPECT_EQ(*should_fuse_chain_via(device(), ranks, t, scratch), should_fuse_chain(ranks, t))
          << ::testing::PrintToString(ranks) << " " << t;
    }
  }
}

TEST_P(Chain, KeepsItsScratch) {
  ChainScratch scratch;
  const Ranks ranks{64, 64, 8, 64, 8};
  ASSERT_TRUE(fusion_pressure_via(device(), ranks, scratch));
  const auto places = [&] {
    std::set<const void*> out{scratch.core.data(), scratch.acc.data(), scratch.next.data(),
                              scratch.outputs[0].data(), scratch.limbs.data()};
    for (const auto& p : scratch.programs) out.insert({&p, p.program->identity()});
    return out;
  };
  const auto before = places();
  EXPECT_EQ(scratch.programs.size(), 5U);
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_TRUE(fusion_pressure_via(device(), ranks, scratch));
    EXPECT_EQ(places(), before);
  }
}

TEST(ChainScratchSize, IsBounded) {
  Dispatcher& device = testing::dispatcher_on("reference");
  ChainScratch scratch;
  constexpr std::uint64_t kRanks = 3 * kMostLinkPrograms;
  for (std::uint64_t rank = 1; rank <= kRanks; ++rank) {
    ASSERT_EQ(fusion_pressure_via(device, Ranks{rank}, scratch), static_cast<double>(rank));
    ASSERT_LE(scratch.programs.size(), kMostLinkPrograms);
  }
  // The last pairs are still there, the first are not.
  const void* last = scratch.programs[0].program->identity();
  std::set<std::uint32_t> ranks;
  for (const LinkProgram& p : scratch.programs) ranks.insert(p.r_next);
  EXPECT_TRUE(ranks.contains(kRanks));
  EXPECT_FALSE(ranks.contains(2));
  const std::uint32_t kept = scratch.programs[0].r_prev * scratch.programs[0].r_next;
  ASSERT_TRUE(fusion_pressure_via(device, Ranks{kept}, scratch));
  EXPECT_EQ(scratch.programs[0].program->identity(), last);
}

// The answer is exact, and the working space stays where it is.
TEST(ChainScratchSize, ExactThresholdsNeedNoNewStorage) {
  Dispatcher& device = testing::dispatcher_on("reference");
  ChainScratch scratch;
  const Ranks ranks{4, 16, 4, 16};
  ASSERT_TRUE(should_fuse_chain_via(device, ranks, 8, scratch));
  const std::uint64_t* place = scratch.limbs.data();
  const std::size_t capacity = scratch.limbs.capacity();
  ASSERT_NE(place, nullptr);
  EXPECT_TRUE(*should_fuse_chain_via(device, ranks, 8, scratch));
  EXPECT_FALSE(*should_fuse_chain_via(device, ranks, std::nextafter(8.0, 0.0), scratch));
  EXPECT_EQ(scratch.limbs.data(), place);
  EXPECT_EQ(scratch.limbs.capacity(), capacity);
}

TEST(ChainErrors, RefusedBeforeAnythingRuns) {
  testing::BrokenDispatcher never(Outputs{});
  struct Case {
    Ranks ranks;
    const char* message;
  };
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [ranks, message] : {
           Case{
               {2, 0x80000000ULL},
               "the product of the ranks up to rank 1 (2147483648) is beyond 4294967295; shard the "
               "chain or lower ranks"},
           Case{
               {huge, huge},
               "the product of the ranks up to rank 0 (18446744073709551615) is beyond 4294967295; "
               "shard the chain or lower ranks"},
           Case{{1024, 1, 1024, 1, 1024, 1, 4},
                "the product of the ranks up to rank 6 (4) is beyond 4294967295; shard the chain "
                "or lower ranks"},
           Case{{(1 << 20) + 1},
                "the core of ranks 1 and 1048577 before rank 1 has more than 1048576 cells; shard "
                "the chain or lower ranks"},
           Case{{1024, 0, 1025},
                "the core of ranks 1024 and 1025 before rank 3 has more than 1048576 cells; shard "
                "the chain or lower ranks"},
       }) {
    const auto got = fusion_pressure_via(never, ranks);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().kind, ErrorKind::bad_inputs);
    EXPECT_EQ(got.error().message, message);
    EXPECT_EQ(should_fuse_chain_via(never, ranks, 8).error(), got.error());
  }
  EXPECT_EQ(never.calls(), 0);
  const auto broken = fusion_pressure_via(never, Ranks{2});
  EXPECT_EQ(broken.error().kind, ErrorKind::backend);
  EXPECT_EQ(broken.error().message,
            "the device gave back no contraction of 2 elements; try another device");
}

TEST_P(Chain, DecidesAsTheContractSays) {
  struct Case {
    Ranks ranks;
    double threshold;
    bool fuse;
  };
  const double below_eight = std::nextafter(8.0, 0.0);
  for (const auto& [ranks, threshold, fuse] : {
           Case{{8, 8, 8}, 16, true},
           Case{{8, 8, 8}, 4, false},
           Case{{}, 16, false},
           Case{{}, kInfinity, false},
           Case{{0, 0}, 1, true},
           Case{{0, 0}, 0.99, false},
           Case{{8}, kNaN, false},
           Case{{8}, 0, false},
           Case{{8}, -1, false},
           Case{{8}, -kInfinity, false},
           Case{{8}, kInfinity, true},
           Case{{0}, kInfinity, true},
           Case{{0}, kNaN, false},
           Case{{4, 0, 16, 0}, 8, true},
           Case{{4, 0, 16}, below_eight, false},
           Case{{1, 1}, 1, true},
           Case{{1, 1}, 0.5, false},
           Case{{64, 64, 8}, 32, true},
           Case{{64, 64, 8}, std::nextafter(32.0, 0.0), false},
       }) {
    EXPECT_EQ(should_fuse_chain(ranks, threshold), fuse)
        << ::testing::PrintToString(ranks) << " " << threshold;
    EXPECT_EQ(*should_fuse_chain_via(device(), ranks, threshold), fuse)
        << ::testing::PrintToString(ranks) << " " << threshold;
  }
}

TEST(ChainDecision, IsExactAtEqualRanks) {
  for (std::uint64_t r = 2; r <= 200; ++r) {
    for (std::size_t k = 1; k <= 11; ++k) {
      const Ranks ranks(k, r);
      const auto t = static_cast<double>(r);
      ASSERT_TRUE(should_fuse_chain(ranks, t)) << r << "^" << k;
      ASSERT_FALSE(should_fuse_chain(ranks, std::nextafter(t, 0.0))) << r << "^" << k;
    }
  }
}

// (r - d)(r + d) = r^2 - d^2: unequal ranks whose mean is just below or just above a double.
TEST(ChainDecision, IsExactAtNearlyEqualProducts) {
  const std::uint64_t r = 1ULL << 40U;
  EXPECT_TRUE(should_fuse_chain(Ranks{r - 1, r + 1}, 0x1p40));
  EXPECT_TRUE(should_fuse_chain(Ranks{r / 2, r * 2}, 0x1p40));
  EXPECT_FALSE(should_fuse_chain(Ranks{r / 2, r * 2 + 1}, 0x1p40));
  EXPECT_FALSE(should_fuse_chain(Ranks{r / 2, r * 2}, std::nextafter(0x1p40, 0.0)));
  EXPECT_TRUE(should_fuse_chain(Ranks{1, 2}, std::nextafter(std::sqrt(2.0), 2.0)));
  EXPECT_FALSE(should_fuse_chain(Ranks{1, 2}, std::nextafter(std::sqrt(2.0), 1.0)));
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(should_fuse_chain(Ranks{most, most}, 0x1p64));
  EXPECT_FALSE(should_fuse_chain(Ranks{most, most}, std::nextafter(0x1p64, 0.0)));
  EXPECT_FALSE(should_fuse_chain(Ranks{most, 1}, 1));
}

// Against the plain product in 128 bits: few small ranks, thresholds that are integers, halves and
// neighbours of exact roots.
TEST(ChainDecision, AgreesWithPlainArithmetic) {
  std::mt19937_64 random(43);
  for (int turn = 0; turn < 20'000; ++turn) {
    Ranks ranks;
    unsigned __int128 product = 1;
    const std::uint64_t links = 1 + random() % 4;
    for (std::uint64_t k = 0; k < links; ++k) {
      ranks.push_back(1 + random() % 40);
      product *= ranks.back();
    }
    for (const double t :
         {static_cast<double>(1 + random() % 40), static_cast<double>(1 + random() % 80) / 2,
          static_cast<double>(1 + random() % 160) / 4}) {
      unsigned __int128 left = product;
      unsigned __int128 right = 1;
      for (std::uint64_t k = 0; k < links; ++k) {
        left *= 4;
        right *= static_cast<unsigned>(4 * t);
      }
      ASSERT_EQ(should_fuse_chain(ranks, t), left <= right)
          << ::testing::PrintToString(ranks) << " " << t;
    }
  }
}

// (2^48 - 1)(2^48 + 1)(2^32 + 1)(2^64 - 2^32 + 1) = 2^192 - 1, and the last two alone are 2^96 + 1.
TEST(ChainDecision, IsExactFarBeyondTheFirstBits) {
  const std::uint64_t half = 1ULL << 48U;
  const std::uint64_t small = (1ULL << 32U) + 1;
  const std::uint64_t large = 0xffffffff00000001ULL;
  EXPECT_TRUE(should_fuse_chain(Ranks{half - 1, half + 1, small, large}, 0x1p48));
  EXPECT_FALSE(should_fuse_chain(Ranks{half, half, small, large}, 0x1p48));
  EXPECT_FALSE(should_fuse_chain(Ranks{small, large}, 0x1p48));
  EXPECT_FALSE(
      should_fuse_chain(Ranks{half - 1, half + 1, small, large}, std::nextafter(0x1p48, 0.0)));
}

TEST(ChainDecision, IsQuickAtExactThresholds) {
  const auto start = std::chrono::steady_clock::now();
  Ranks ranks;
  for (std::uint64_t k = 0; k < 100'000; ++k) ranks.push_back(k % 2 == 0 ? 30 : 1080);
  EXPECT_TRUE(should_fuse_chain(ranks, 180));
  EXPECT_FALSE(should_fuse_chain(ranks, std::nextafter(180.0, 0.0)));
  ranks.back() = 1081;
  EXPECT_FALSE(should_fuse_chain(ranks, 180));
  ranks.assign(100'000, 1'000'000'007);
  EXPECT_TRUE(should_fuse_chain(ranks, 1'000'000'007));
  ranks[0] -= 1;
  ranks[1] += 1;
  EXPECT_TRUE(should_fuse_chain(ranks, 1'000'000'007));
  // 10 seconds with numbers of full length; a generous limit for slow builds.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ChainDecision, LongChainsAreDecidedToo) {
  Ranks ranks;
  for (std::uint64_t k = 0; k < 3000; ++k) ranks.push_back(k % 2 == 0 ? 4 : 16);
  EXPECT_TRUE(should_fuse_chain(ranks, 8));
  EXPECT_FALSE(should_fuse_chain(ranks, std::nextafter(8.0, 0.0)));
  ranks.assign(1'000'000, 3);
  ranks.push_back(1'000'000'007);
  EXPECT_TRUE(should_fuse_chain(ranks, 4));
  EXPECT_FALSE(should_fuse_chain(ranks, 2));
}

}  // namespace
}  // namespace vyre::substrate
