#include "runtime/tally.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "decisions/evidence.h"
#include "testing/sample_decisions.h"

namespace vyre {
namespace {

using testing::decision;
using testing::key;

constexpr std::string_view kHome = "1111111111111111";
constexpr std::string_view kForeign = "2222222222222222";

CacheEntry entry(std::uint64_t n, std::int64_t block, std::uint32_t samples,
                 std::string_view identity = kHome) {
  return {.key = key(n), .identity = std::string(identity), .decision = decision(block, samples)};
}

Ballot ballot(std::vector<CacheEntry> entries, std::string_view identity = kHome) {
  return {.version = vyre_version(),
          .identity = std::string(identity),
          .decisions = text_of_decisions(std::move(entries), identity).text};
}

Veto veto_of(const CacheEntry& e) { return {e.key, entry_hash(e.decision, e.identity)}; }

std::vector<std::string> bytes_of(const std::vector<Ballot>& ballots) {
  std::vector<std::string> out;
  for (const Ballot& one : ballots) out.push_back(print_ballot(one));
  return out;
}

Tally counted(const std::vector<Ballot>& ballots) {
  const auto bytes = bytes_of(ballots);
  auto out = tally(bytes, bytes.front(), {});
  EXPECT_TRUE(out) << out.error().message;
  return out ? *std::move(out) : Tally{};
}

std::string error_of(const std::vector<std::string>& bytes, const AgreeOptions& options = {}) {
  const auto out = tally(bytes, bytes.empty() ? "" : bytes.front(), options);
  return out ? "" : out.error().message;
}

// By key, the block that is served.
std::map<Key, std::int64_t> blocks(const Tally& tally) {
  std::map<Key, std::int64_t> out;
  for (const CacheEntry& e : tally.decisions) {
    out[e.key] = std::get<std::int64_t>(*e.decision.config.find("block"));
  }
  return out;
}

using Blocks = std::map<Key, std::int64_t>;

TEST(Tally, ColdRanksGetWhatWarmOnesHave) {
  const Tally all = counted({ballot({}), ballot({entry(1, 32, 10)}), ballot({entry(2, 64, 10)})});
  EXPECT_EQ(blocks(all), (Blocks{{key(1), 32}, {key(2), 64}}));
  EXPECT_TRUE(std::ranges::is_sorted(all.decisions, {}, &CacheEntry::key));
  EXPECT_EQ(all.decisions[0].identity, kHome);
  EXPECT_NE(all.digest, counted({ballot({}), ballot({entry(1, 32, 10)})}).digest);
}

TEST(Tally, NobodyHasAnything) {
  const Tally none = counted({ballot({}), ballot({})});
  EXPECT_TRUE(none.decisions.empty());
  EXPECT_NE(none.digest, Hash{});
}

TEST(Tally, EvidenceDecidesAndSupersededOnesGo) {
  EXPECT_EQ(blocks(counted({ballot({entry(1, 1, 10)}), ballot({entry(1, 2, 11)})})),
            (Blocks{{key(1), 2}}));
  CacheEntry fresh = entry(1, 3, 1);
  note_superseded(fresh.decision, entry(1, 2, 11).decision, kHome);
  EXPECT_EQ(blocks(counted({ballot({entry(1, 2, 11)}), ballot({fresh})})), (Blocks{{key(1), 3}}));
}

TEST(Tally, TheRanksOwnIdentityComesBeforeSeeds) {
  const Ballot foreign = ballot({entry(1, 9, 1000, kForeign), entry(2, 9, 1000, kForeign)});
  EXPECT_EQ(blocks(counted({foreign, ballot({entry(1, 1, 5)})})),
            (Blocks{{key(1), 1}, {key(2), 9}}));
  // On mixed devices that of more ranks.
  const Ballot other = ballot({entry(1, 9, 1000, kForeign)}, kForeign);
  EXPECT_EQ(blocks(counted({other, ballot({entry(1, 1, 5)}), ballot({})})), (Blocks{{key(1), 1}}));
  EXPECT_EQ(blocks(counted({other, ballot({entry(1, 1, 5)}), ballot({}, kForeign)})),
            (Blocks{{key(1), 9}}));
}

TEST(Tally, TheSpaceThatMostHaveDeclaredComesFirst) {
  CacheEntry old = entry(1, 1, 1000);
  old.decision.space = "0ld";
  const auto declaring = [](Ballot one, std::string space) {
    one.spaces[{1, 2, 3}] = std::move(space);  // the program of decision()
    return one;
  };
  const Ballot with_old = ballot({old});
  const Ballot with_new = ballot({entry(1, 2, 5)});
  EXPECT_EQ(blocks(counted({with_old, with_new})), (Blocks{{key(1), 1}}));
  EXPECT_EQ(blocks(counted({with_old, declaring(with_new, "5pace")})), (Blocks{{key(1), 2}}));
  EXPECT_EQ(blocks(counted({declaring(with_old, "0ld"), declaring(with_new, "5pace"),
                            declaring(ballot({}), "5pace")})),
            (Blocks{{key(1), 2}}));
  // Equally many: the smallest digest.
  EXPECT_EQ(blocks(counted({declaring(with_old, "0ld"), declaring(with_new, "5pace")})),
            (Blocks{{key(1), 1}}));
}

TEST(Tally, OneVetoIsEnough) {
  const CacheEntry best = entry(1, 1, 100);
  const CacheEntry next = entry(1, 2, 50);
  Ballot against = ballot({});
  against.vetoes.insert(veto_of(best));
  const Tally all = counted({ballot({best}), ballot({next}), against});
  EXPECT_EQ(blocks(all), (Blocks{{key(1), 2}}));
  EXPECT_EQ(all.vetoes.size(), 1U);
  against.vetoes.insert(veto_of(next));
  EXPECT_TRUE(counted({ballot({best}), ballot({next}), against}).decisions.empty());
  // A veto at another key is part of the snapshot, and lets the decision serve its own.
  Ballot elsewhere = ballot({});
  elsewhere.vetoes.insert({key(7), veto_of(best).decision});
  const Tally nearby = counted({ballot({best}), elsewhere});
  EXPECT_EQ(blocks(nearby), (Blocks{{key(1), 1}}));
  EXPECT_NE(nearby.digest, counted({ballot({best}), ballot({})}).digest);
}

TEST(Tally, WishesAreCountedUntilTheyAreGranted) {
  Ballot wishing = ballot({});
  wishing.wishes = {{.key = key(1), .program = "saxpy", .shape = {4}}, {.key = key(2)}};
  Ballot foreign = ballot({}, kForeign);
  foreign.wishes = {{.key = key(1)}};
  const Tally all = counted({wishing, wishing, foreign, ballot({entry(2, 1, 5)})});
  ASSERT_EQ(all.wishes.size(), 2U) << "key 2 is granted";
  EXPECT_EQ(all.wishes[0], (Wish{.key = key(1),
                                 .identity = std::string(kHome),
                                 .program = "saxpy",
                                 .shape = {4},
                                 .ranks = 2}));
  EXPECT_EQ(all.wishes[1].identity, kForeign);
  // A seed is no fulfilment.
  EXPECT_EQ(counted({wishing, ballot({entry(2, 1, 5, kForeign)})}).wishes.size(), 2U);
}

TEST(Tally, SaysWhetherRanksWereDivided) {
  const auto serving = [](std::uint8_t digest) {
    Ballot out = ballot({});
    out.served[0] = digest;
    return out;
  };
  EXPECT_FALSE(counted({serving(0), serving(1), serving(1)}).was_divided);
  EXPECT_TRUE(counted({serving(0), serving(1), serving(2)}).was_divided);
}

TEST(Tally, DoesNotDependOnTheOrderOfRanks) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Ballot> ballots;
    for (int rank = 0; rank < 8; ++rank) {
      std::vector<CacheEntry> entries;
      for (std::uint64_t n = 0; n < 3; ++n) {
        const auto identity = random() % 2 == 0 ? kHome : kForeign;
        if (random() % 3 == 0) continue;
        entries.push_back(entry(n, static_cast<std::int64_t>(random() % 4),
                                static_cast<std::uint32_t>(9 + random() % 2), identity));
      }
      ballots.push_back(ballot(entries, random() % 2 == 0 ? kHome : kForeign));
      if (!entries.empty() && random() % 4 == 0) {
        ballots.back().vetoes.insert(veto_of(entries.front()));
      }
    }
    const Hash wanted = counted(ballots).digest;
    for (int order = 0; order < 5; ++order) {
      std::ranges::shuffle(ballots, random);
      EXPECT_EQ(counted(ballots).digest, wanted);
    }
  }
}

TEST(Tally, MistakesNameTheRank) {
  const std::string good = print_ballot(ballot({}));
  constexpr std::string_view kEnd = "; all ranks go on as before";
  const auto wrong = [&](Ballot one) { return error_of({good, print_ballot(one)}); };
  EXPECT_EQ(error_of({good, good, ""}),
            fmt::format("the ranks do not agree, because of rank 2: it has sent nothing{}", kEnd));
  Ballot failed = ballot({});
  failed.failure = "out of\nmemory";
  EXPECT_EQ(wrong(failed),
            fmt::format("the ranks do not agree, because of rank 1: it cannot take part: out "
                        "of\\x0amemory{}",
                        kEnd));
  Ballot older = ballot({});
  older.version = "0.0.1";
  EXPECT_EQ(wrong(older), fmt::format("the ranks do not agree, because of rank 1: it has vyre "
                                      "\"0.0.1\", and this rank {}; use one version on all ranks{}",
                                      vyre_version(), kEnd));
  Ballot crowd = ballot({});
  crowd.ranks = 3;
  EXPECT_EQ(wrong(crowd), fmt::format("the ranks do not agree, because of rank 1: it knows of 3 "
                                      "ranks, and this rank of 0{}",
                                      kEnd));
  for (const std::string& text : {std::string("no toml"), std::string("colour = 1\n"),
                                  "v1-" + std::string(64, 'a') + " = [1, 1, 1]\n"}) {
    Ballot odd = ballot({});
    odd.decisions = text;
    EXPECT_EQ(wrong(odd),
              fmt::format("the ranks do not agree, because of rank 1: its decisions are "
                          "not as vyre writes them{}",
                          kEnd));
  }
}

TEST(Tally, AListOfAnotherLengthIsRefused) {
  Ballot one = ballot({});
  one.ranks = 3;
  const std::string bytes = print_ballot(one);
  EXPECT_EQ(error_of({bytes, bytes}, {.ranks = 3}),
            "the exchange has returned 2 ballots for 3 ranks; it must return one of each rank");
  EXPECT_EQ(error_of({bytes, bytes, bytes}, {.ranks = 3}), "");
  const std::vector<std::string> others{bytes};
  EXPECT_EQ(tally(others, "mine", {}).error().message,
            "the exchange has returned 1 ballots, and this rank's own is not among them; it must "
            "return the bytes of all ranks");
  EXPECT_FALSE(tally({}, "mine", {}));
}

}  // namespace
}  // namespace vyre
