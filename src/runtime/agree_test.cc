// Runtime::agree: what ranks serve before, between and after agreements.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "runtime/ballot.h"
#include "testing/ranks.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

using testing::agree_all;
using testing::busy_program;
using testing::foreign_identity;
using testing::make_ranks;
using testing::Meeting;
using testing::Rank;
using testing::wrong_program;

Config tiled(std::int64_t value) { return {{"tile", value}}; }
Config worked(std::int64_t work, std::int64_t block) { return {{"work", work}, {"block", block}}; }

// The exchange of a rank that is alone.
Expected<std::vector<std::string>> echo(std::string_view mine) {
  return std::vector<std::string>{std::string(mine)};
}

// The one digest of all ranks.
std::string digest_of_all(const std::vector<Expected<Agreement>>& agreements) {
  std::string out;
  for (const auto& one : agreements) {
    EXPECT_TRUE(one) << one.error().message;
    if (!one) return "";
    if (out.empty()) out = one->digest;
    EXPECT_EQ(one->digest, out);
  }
  return out;
}

std::vector<std::uint32_t> plus(std::size_t n, std::uint32_t more) {
  std::vector<std::uint32_t> out = testing::words(n);
  for (std::uint32_t& word : out) word += more;
  return out;
}

TEST(Agree, AllRanksServeOneSnapshot) {
  auto ranks = make_ranks(3);
  Meeting meeting(3);
  ranks[0]->decide(wrong_program(), 8, tiled(8), 10);
  ranks[1]->decide(wrong_program(), 8, tiled(4), 20);
  ranks[1]->decide(wrong_program(), 9, tiled(5));
  const auto agreements = agree_all(ranks, meeting, {.ranks = 3});
  EXPECT_NE(digest_of_all(agreements), "");
  EXPECT_EQ(agreements[2]->ranks, 3U);
  EXPECT_EQ(agreements[2]->decisions, 2U);
  EXPECT_FALSE(agreements[2]->was_divided);
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    EXPECT_EQ(meeting.calls_of(k), 1U);
    EXPECT_EQ(*ranks[k]->launch(wrong_program(), 8), plus(8, 4));
    EXPECT_EQ(*ranks[k]->launch(wrong_program(), 9), plus(9, 5));
    EXPECT_EQ(
        ranks[k]->runtime.resolve(wrong_program(), ranks[k]->shape(wrong_program(), 8)).source,
        Source::decision);
  }
}

TEST(Agree, NewDecisionsWaitForTheNextAgreement) {
  auto ranks = make_ranks(2);
  Meeting meeting(2);
  const std::string nothing = digest_of_all(agree_all(ranks, meeting));
  DecisionCache& cache = ranks[0]->runtime.cache();
  EXPECT_TRUE(cache.is_pinned());
  ranks[0]->decide(wrong_program(), 8, tiled(8));
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(ranks[0]->served(wrong_program(), 8), Config{});
  EXPECT_EQ(*ranks[0]->launch(wrong_program(), 8), plus(8, 1));
  const std::string first = digest_of_all(agree_all(ranks, meeting));
  EXPECT_NE(first, nothing);
  for (const auto& rank : ranks) EXPECT_EQ(*rank->launch(wrong_program(), 8), plus(8, 8));
  EXPECT_EQ(digest_of_all(agree_all(ranks, meeting)), first) << "nothing is new";
  EXPECT_EQ(meeting.calls_of(1), 3U);
}

// The snapshot replaces what a rank served before, even if it had something where nobody else had.
TEST(Agree, ARankAloneServesItsOwnDecisions) {
  Rank alone;
  alone.decide(wrong_program(), 8, tiled(8));
  const auto agreement = alone.runtime.agree(echo);
  ASSERT_TRUE(agreement);
  EXPECT_EQ(*alone.launch(wrong_program(), 8), plus(8, 8));
}

TEST(Agree, ARefusedConfigurationIsALoudErrorAndThenAVeto) {
  auto ranks = make_ranks(3);
  Meeting meeting(3);
  ranks[0]->decide(busy_program(), 100, worked(1, 1 << 20));
  digest_of_all(agree_all(ranks, meeting));
  for (int turn = 0; turn < 2; ++turn) {  // it goes on failing
    const auto launched = ranks[1]->launch(busy_program(), 100);
    ASSERT_FALSE(launched);
    EXPECT_TRUE(launched.error().message.starts_with(
        "\"busy\": this device refuses the configuration that all ranks agreed on (block=1048576, "
        "work=1): "))
        << launched.error().message;
    EXPECT_TRUE(launched.error().message.ends_with(
        "; call Runtime::agree again on all ranks, where this rank vetoes it"));
  }
  const auto agreements = agree_all(ranks, meeting);
  digest_of_all(agreements);
  EXPECT_EQ(agreements[0]->vetoes, 1U);
  EXPECT_EQ(agreements[0]->decisions, 0U);
  for (const auto& rank : ranks) {
    EXPECT_EQ(*rank->launch(busy_program(), 100), testing::busy_result(100));
    EXPECT_TRUE(rank->events.empty());
  }
}

TEST(Agree, WhatWasRefusedBeforeIsAVetoAtTheFirstAgreement) {
  auto ranks = make_ranks(2);
  Meeting meeting(2);
  for (const auto& rank : ranks) rank->decide(busy_program(), 100, worked(1, 1 << 20));
  EXPECT_EQ(*ranks[1]->launch(busy_program(), 100), testing::busy_result(100));  // falls back
  const auto agreements = agree_all(ranks, meeting);
  digest_of_all(agreements);
  EXPECT_EQ(agreements[0]->decisions, 0U);
  EXPECT_EQ(*ranks[0]->launch(busy_program(), 100), testing::busy_result(100));
  EXPECT_TRUE(ranks[0]->events.empty()) << "it has never tried";
}

TEST(Agree, ACallersMistakeIsNoVeto) {
  auto ranks = make_ranks(1);
  Meeting meeting(1);
  ranks[0]->decide(wrong_program(), 8, tiled(8));
  digest_of_all(agree_all(ranks, meeting));
  EXPECT_FALSE(ranks[0]->runtime.launch(wrong_program(), Call{}));
  EXPECT_EQ(agree_all(ranks, meeting)[0]->vetoes, 0U);
}

TEST(Agree, AFailedProofIsAVetoForAllRanks) {
  auto ranks = make_ranks(2);
  Meeting meeting(2);
  ranks[0]->decide(wrong_program(), 8, tiled(8), 10, foreign_identity());
  digest_of_all(agree_all(ranks, meeting));
  EXPECT_EQ(ranks[1]->served(wrong_program(), 8), tiled(8)) << "as a seed";
  // It gives something else than the default, so it does not serve on this rank.
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(*ranks[1]->launch(wrong_program(), 8), plus(8, 1));
  }
  EXPECT_EQ(ranks[1]->events.back().kind, EventKind::fallback);
  const auto agreements = agree_all(ranks, meeting);
  digest_of_all(agreements);
  EXPECT_EQ(agreements[1]->vetoes, 1U);
  EXPECT_EQ(agreements[1]->decisions, 0U);
  EXPECT_EQ(*ranks[0]->launch(wrong_program(), 8), plus(8, 1));
  EXPECT_TRUE(ranks[0]->events.empty()) << "nothing is tried any more";
}

TEST(Agree, AFailedProofAtAnotherShapeIsAVetoThere) {
  auto ranks = make_ranks(2);
  Meeting meeting(2);
  ranks[0]->decide(wrong_program(), 64, tiled(8));
  digest_of_all(agree_all(ranks, meeting));
  EXPECT_EQ(*ranks[1]->launch(wrong_program(), 32), plus(32, 1));  // tries that of 64
  const auto agreements = agree_all(ranks, meeting);
  digest_of_all(agreements);
  EXPECT_EQ(agreements[0]->decisions, 1U);
  EXPECT_EQ(agreements[0]->vetoes, 1U);
  EXPECT_EQ(*ranks[0]->launch(wrong_program(), 32), plus(32, 1));
  EXPECT_TRUE(ranks[0]->events.empty());
  EXPECT_EQ(*ranks[0]->launch(wrong_program(), 64), plus(64, 8));
}

TEST(Agree, SeedsThatHoldAreServedEverywhere) {
  auto ranks = make_ranks(2);
  Meeting meeting(2);
  ranks[0]->decide(busy_program(), 100, worked(1, 32), 10, foreign_identity());
  digest_of_all(agree_all(ranks, meeting));
  for (const auto& rank : ranks) {
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_EQ(*rank->launch(busy_program(), 100), testing::busy_result(100));
    }
    ASSERT_EQ(rank->events.size(), 1U);
    EXPECT_EQ(rank->events[0].kind, EventKind::seed_used);
  }
  EXPECT_EQ(agree_all(ranks, meeting)[0]->vetoes, 0U);
}

TEST(Agree, WishesAreWhatNobodyHasDecided) {
  auto ranks = make_ranks(2);
  Meeting meeting(2);
  for (const auto& rank : ranks) EXPECT_TRUE(rank->launch(busy_program(), 100));
  EXPECT_TRUE(ranks[1]->launch(wrong_program(), 8));
  ranks[0]->decide(wrong_program(), 8, tiled(8));
  const auto agreements = agree_all(ranks, meeting);
  ASSERT_EQ(agreements[0]->wishes.size(), 1U);
  EXPECT_EQ(agreements[0]->wishes, agreements[1]->wishes);
  const Wish& wish = agreements[0]->wishes[0];
  EXPECT_EQ(wish.program, "busy");
  EXPECT_EQ(wish.ranks, 2U);
  EXPECT_EQ(wish.shape, ranks[0]->shape(busy_program(), 100));
  EXPECT_EQ(wish.key, key_of(busy_program().fingerprint(), wish.shape));
}

TEST(Agree, TuningUnderASnapshotWaitsForTheNext) {
  std::vector<std::unique_ptr<Rank>> ranks;
  for (int k = 0; k < 2; ++k) {
    ranks.push_back(
        std::make_unique<Rank>(RuntimeOptions{.mode = k == 0 ? Mode::on : Mode::off,
                                              .miss_budget = {.seconds = 0, .evaluations = 100},
                                              .workers = {.isolation = Isolation::in_process}}));
    ASSERT_TRUE(ranks.back()->runtime.declare(busy_program(), {.space = testing::busy_space()}));
  }
  Meeting meeting(2);
  digest_of_all(agree_all(ranks, meeting));
  EXPECT_EQ(*ranks[0]->launch(busy_program(), 1000), testing::busy_result(1000));
  EXPECT_EQ(ranks[0]->runtime.cache().size(), 1U) << "it was tuned";
  EXPECT_EQ(ranks[0]->served(busy_program(), 1000), Config{});
  const auto agreements = agree_all(ranks, meeting);
  digest_of_all(agreements);
  EXPECT_EQ(agreements[1]->decisions, 1U);
  EXPECT_NE(ranks[1]->served(busy_program(), 1000), Config{});
  EXPECT_EQ(ranks[1]->served(busy_program(), 1000), ranks[0]->served(busy_program(), 1000));
}

// A decision that a rank vetoes does not stand in the way of the one that is made in its place.
TEST(Agree, AfterAVetoTheKeyIsTunedAnew) {
  std::vector<std::unique_ptr<Rank>> ranks;
  ranks.push_back(
      std::make_unique<Rank>(RuntimeOptions{.mode = Mode::on,
                                            .miss_budget = {.seconds = 0, .evaluations = 100},
                                            .workers = {.isolation = Isolation::in_process}}));
  Rank& rank = *ranks[0];
  ASSERT_TRUE(rank.runtime.declare(busy_program(), {.space = testing::busy_space()}));
  Meeting meeting(1);
  Decision refused{.program = "busy",
                   .fingerprint = busy_program().fingerprint(),
                   .shape = rank.shape(busy_program(), 1000),
                   .config = worked(1, 1 << 20),
                   .space = digest_of(testing::busy_space()),
                   .samples = 100'000};
  const Key key = key_of(refused.fingerprint, refused.shape);
  EXPECT_EQ(rank.runtime.cache().offer(key, refused), Offer::kept);
  digest_of_all(agree_all(ranks, meeting));
  EXPECT_FALSE(rank.launch(busy_program(), 1000));
  EXPECT_EQ(agree_all(ranks, meeting)[0]->decisions, 0U);
  EXPECT_TRUE(rank.launch(busy_program(), 1000));  // and tunes
  EXPECT_EQ(agree_all(ranks, meeting)[0]->decisions, 1U);
  EXPECT_NE(rank.served(busy_program(), 1000), Config{});
  EXPECT_NE(rank.served(busy_program(), 1000), worked(1, 1 << 20));
}

// --- What goes wrong. ---

// Ranks of which one sends `bytes` instead of its ballot, and what all of them say.
std::vector<std::string> errors_with(std::string (*spoil)(std::string_view)) {
  auto ranks = make_ranks(3);
  Meeting meeting(3);
  ranks[0]->decide(wrong_program(), 8, tiled(8));
  digest_of_all(agree_all(ranks, meeting));
  ranks[0]->decide(wrong_program(), 8, tiled(9), 99);
  std::vector<std::string> out(3);
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < 3; ++k) {
    threads.emplace_back([&, k] {
      const Exchange honest = meeting.exchange_of(k);
      const auto agreement = ranks[k]->runtime.agree(
          [&](std::string_view mine) { return k == 1 ? honest(spoil(mine)) : honest(mine); });
      out[k] = agreement ? "" : agreement.error().message;
    });
  }
  threads.clear();
  for (const auto& rank : ranks)
    EXPECT_EQ(*rank->launch(wrong_program(), 8), plus(8, 8)) << "as before";
  return out;
}

TEST(Agree, BytesThatAreNoBallotAreAnErrorOnEveryRank) {
  const std::vector<std::string (*)(std::string_view)> spoilers{
      [](std::string_view) { return std::string(); },
      [](std::string_view) { return std::string("hello"); },
      [](std::string_view mine) { return std::string(mine.substr(0, mine.size() / 2)); },
      [](std::string_view mine) {
        std::string out(mine);
        char& middle = out[out.size() / 2];
        middle = static_cast<char>(middle ^ 1);
        return out;
      },
      [](std::string_view mine) {
        std::string out(mine);
        out[12] = 7;  // the protocol
        return out;
      },
      [](std::string_view mine) {
        Ballot other = *parse_ballot(mine);
        other.version = "0.0.1";
        return print_ballot(other);
      },
      [](std::string_view mine) {
        Ballot other = *parse_ballot(mine);
        other.decisions = "[decisions.1]\nx = {}\n";
        return print_ballot(other);
      },
  };
  for (const auto spoil : spoilers) {
    for (const std::string& error : errors_with(spoil)) EXPECT_NE(error, "");
  }
}

TEST(Agree, AMissingRankIsAnErrorOnEveryRank) {
  auto ranks = make_ranks(3);
  Meeting meeting(4, 0.2);
  for (const auto& agreement : agree_all(ranks, meeting)) {
    ASSERT_FALSE(agreement);
    EXPECT_TRUE(agreement.error().message.starts_with("a rank is missing: "));
  }
  for (const auto& rank : ranks) EXPECT_FALSE(rank->runtime.cache().is_pinned());
}

TEST(Agree, TheNumberOfRanksIsHeld) {
  Rank alone;
  EXPECT_EQ(alone.runtime.agree(echo, {.ranks = 2}).error().message,
            "the exchange has returned 1 ballots for 2 ranks; it must return one of each rank");
  EXPECT_TRUE(alone.runtime.agree(echo, {.ranks = 1}));
}

TEST(Agree, TheExchangesFailureIsTheAnswer) {
  Rank alone;
  EXPECT_EQ(alone.runtime.agree({}).error().message,
            "there is no exchange to agree through; give a function");
  int calls = 0;
  EXPECT_EQ(alone.runtime
                .agree([&](std::string_view) -> Expected<std::vector<std::string>> {
                  ++calls;
                  return backend_error("the network is gone");
                })
                .error()
                .message,
            "the network is gone");
  EXPECT_EQ(alone.runtime
                .agree([&](std::string_view) -> Expected<std::vector<std::string>> {
                  ++calls;
                  throw std::runtime_error("lost\nconnection");
                })
                .error()
                .message,
            "the exchange of ballots has failed: lost\\x0aconnection; all ranks go on as before");
  EXPECT_EQ(calls, 2);
  EXPECT_FALSE(alone.runtime.cache().is_pinned());
}

// A rank that cannot take part makes its call all the same, so that nobody waits for it.
TEST(Agree, AForkedChildSaysThatItCannot) {
  Rank parent;
  EXPECT_TRUE(parent.launch(wrong_program(), 8));
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    int calls = 0;
    const auto agreement = parent.runtime.agree([&](std::string_view mine) {
      ++calls;
      return echo(mine);
    });
    const bool is_right = calls == 1 && !agreement &&
                          agreement.error().message.starts_with(
                              "the ranks do not agree, because of rank 0: it cannot take part: "
                              "this process was forked");
    ::_exit(is_right ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Agree, RanksThatWereDividedAreToldSo) {
  auto ranks = make_ranks(2);
  Meeting meeting(2);
  digest_of_all(agree_all(ranks, meeting));
  ranks[0]->decide(wrong_program(), 8, tiled(8));
  ASSERT_TRUE(ranks[0]->runtime.agree(echo));
  const auto agreements = agree_all(ranks, meeting);
  digest_of_all(agreements);
  for (const auto& agreement : agreements) EXPECT_TRUE(agreement->was_divided);
  for (const auto& agreement : agree_all(ranks, meeting)) EXPECT_FALSE(agreement->was_divided);
}

}  // namespace
}  // namespace vyre
