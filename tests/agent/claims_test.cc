// Claims: one holder for each wish, and a holder that is cut off is taken over. The bounds on time
// are promises of docs/fleet.md.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>

#include "agent/fleet_database.h"
#include "agent/link.h"
#include "agent/own_problems.h"
#include "agent/shared_decisions.h"
#include "testing/soak.h"

namespace vyre::agent {
namespace {

using testing::becomes_true;
using ::testing::HasSubstr;
using testing::shared;
using testing::wish;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

class ClaimsTest : public testing::AgentTest {
 protected:
  void SetUp() override {
    AgentTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(store("wisher").post(wish(1)), true);
    ASSERT_EQ(ask("select id from vyre.wish"), "1");
  }
};

// All of them ask at the same moment for the same wish.
TEST_F(ClaimsTest, OneOfManyClaimersWins) {
  const std::uint32_t claimers = testing::cases(60, 250);
  std::vector<Store> stores;
  for (std::uint32_t k = 0; k < claimers; ++k) stores.push_back(store("tuner"));
  for (std::uint64_t round = 1; round <= testing::cases(1, 20); ++round) {
    ASSERT_EQ(store("wisher").post(wish(round)), round > 1);  // the first is there
    std::vector<double> seconds(claimers);                    // negative: that of a winner
    Clock::time_point begin;
    std::barrier all(claimers, [&]() noexcept { begin = Clock::now(); });
    const auto claim = [&](std::uint32_t k) {
      all.arrive_and_wait();
      const auto got = stores[k].claim(round, "claimer", std::chrono::minutes(1));
      EXPECT_TRUE(got) << got.error().message;
      seconds[k] = Seconds(Clock::now() - begin).count() * (got && *got ? -1 : 1);
    };
    {
      std::vector<std::jthread> threads;
      for (std::uint32_t k = 0; k < claimers; ++k) threads.emplace_back(claim, k);
    }
    EXPECT_EQ(std::ranges::count_if(seconds, [](double s) { return s < 0; }), 1);
    const double winner = -std::ranges::min(seconds);
    EXPECT_LT(winner, 2);
    fmt::print("{} claimers: the winner knows after {:.3f} s, the last one after {:.3f} s\n",
               claimers, winner, std::ranges::max(seconds));
  }
}

TEST_F(ClaimsTest, AStaleAnswerChangesNothing) {
  Store cut_off = store("tuner");
  Store next = store("tuner");
  constexpr Milliseconds kLease{400};
  const auto old = cut_off.claim(1, "cut off", kLease);
  ASSERT_TRUE(old && *old);
  EXPECT_EQ(next.claim(1, "next", kLease)->has_value(), false);
  EXPECT_EQ(cut_off.renew(**old, kLease), true);
  std::optional<Claim> fresh;
  ASSERT_TRUE(becomes_true([&] {
    fresh = *next.claim(1, "next", std::chrono::minutes(1));
    return fresh.has_value();
  }));
  EXPECT_GT(fresh->token, (*old)->token);
  EXPECT_EQ(cut_off.renew(**old, kLease), false);
  EXPECT_EQ(cut_off.fulfil(**old, shared(1)), 0U);
  EXPECT_EQ(ask("select count(*) from vyre.decision"), "0");
  EXPECT_EQ(ask("select revision from vyre.schema"), "0");
  // The answer must be to the wish.
  EXPECT_EQ(next.fulfil(*fresh, shared(2)), 0U);
  EXPECT_EQ(next.fulfil(*fresh, shared(1)), 1U);
  EXPECT_EQ(ask("select count(*) from vyre.decision"), "1");
  EXPECT_EQ(next.fulfil(*fresh, shared(1, 99)), 0U);
  EXPECT_EQ(ask("select evidence from vyre.decision"), "10");
}

// A lease that is over and that nobody has taken over is still the holder's.
TEST_F(ClaimsTest, ALateAnswerCountsIfNobodyElseHasBegun) {
  Store slow = store("tuner");
  const auto claim = slow.claim(1, "slow", Milliseconds(0));
  ASSERT_TRUE(claim && *claim);
  EXPECT_EQ(slow.fulfil(**claim, shared(1)), 1U);
}

// An agent that tunes and is cut off: another one has its wish when the lease is over. When the
// line is back, the agent learns of it and publishes nothing.
TEST_F(ClaimsTest, AnAgentThatIsCutOffIsTakenOver) {
  const std::uint32_t lease = testing::cases(2, 5);
  std::filesystem::create_directory(folder_ / "problems");
  const std::filesystem::path file = folder_ / "problems/slow.vyre";
  testing::write_text(file, testing::kSlow);
  const auto problem = load_chain(file);
  ASSERT_TRUE(problem) << problem.error().message;
  const Wish slow = *wish_for(*problem, open_reference({})->info());
  ASSERT_EQ(store("wisher").post(slow), true);

  testing::Link link(server().port());
  const auto holder = std::make_unique<testing::Process>(
      std::vector<std::string>{VYRE_AGENT, "tune", "--problems", (folder_ / "problems").string(),
                               "--device", "reference", "--budget", "60", "--lease",
                               std::to_string(lease), "--connect",
                               as("tuner") + " port=" + link.port()},
      folder_ / "holder.log",
      std::vector<std::string>{"XDG_CACHE_HOME=" + (node("a") / "cache").string()});
  ASSERT_TRUE(becomes_true([&] { return ask("select count(*) from vyre.claim") == "1"; }));
  Store next = store("tuner");
  if (testing::soaking()) {  // its claim outlives a lease
    const auto begun = Clock::now();
    while (Clock::now() - begun < std::chrono::seconds(2 * lease)) {
      ASSERT_FALSE(next.claim(2, "next", std::chrono::minutes(1))->has_value());
      std::this_thread::sleep_for(Milliseconds(100));
    }
  }
  link.cut();
  const auto cut = Clock::now();
  std::optional<Claim> fresh;
  ASSERT_TRUE(becomes_true([&] {
    fresh = *next.claim(2, "next", std::chrono::minutes(1));
    return fresh.has_value();
  }));
  const double taken = Seconds(Clock::now() - cut).count();
  fmt::print("lease of {} s: taken over {:.2f} s after the cut\n", lease, taken);
  EXPECT_LT(taken, lease + 1);
  link.heal();
  EXPECT_TRUE(becomes_true([&] { return holder->output().contains("has taken over"); }))
      << holder->output();
  EXPECT_EQ(ask("select count(*) from vyre.decision"), "0");
  EXPECT_EQ(ask("select holder from vyre.claim"), "next");
  EXPECT_EQ(holder->stop(), 0) << holder->output();
  EXPECT_THAT(holder->output(), HasSubstr("0 wishes answered, 1 taken over by others, 0 failed"));
}

// An agent that is asked to end gives its wish back at once.
TEST_F(ClaimsTest, AnAgentThatEndsReleasesItsWish) {
  std::filesystem::create_directory(folder_ / "problems");
  const std::filesystem::path file = folder_ / "problems/slow.vyre";
  testing::write_text(file, testing::kSlow);
  ASSERT_EQ(store("wisher").post(*wish_for(*load_chain(file), open_reference({})->info())), true);
  const auto holder = agent_beside("a", "tuner",
                                   {"tune", "--problems", (folder_ / "problems").string(),
                                    "--device", "reference", "--budget", "60"});
  ASSERT_TRUE(becomes_true([&] { return ask("select count(*) from vyre.claim") == "1"; }));
  EXPECT_EQ(holder->stop(), 0) << holder->output();
  EXPECT_TRUE(store("tuner").claim(2, "next", std::chrono::minutes(1))->has_value());
}

}  // namespace
}  // namespace vyre::agent
