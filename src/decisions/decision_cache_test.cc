#include <gtest/gtest.h>

#include <cmath>

#include "decisions/file_content.h"
#include "testing/sample_decisions.h"
#include "vyre/decisions.h"

namespace vyre {
namespace {

using namespace testing;

TEST(DecisionCache, RemembersAcrossOpens) {
  TemporaryFolder folder;
  const auto where = folder / "a/b";
  auto cache = DecisionCache::open(options_for(where));
  EXPECT_EQ(cache.offer(key(1), decision(32)), Offer::kept);
  EXPECT_EQ(cache.offer(key(2), decision(64)), Offer::kept);
  ASSERT_TRUE(cache.save());
  const auto again = DecisionCache::open(options_for(where));
  EXPECT_EQ(again.size(), 2U);
  const DecisionRef found = again.find(key(1));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found.is_seed());
  EXPECT_EQ(again.read(found), decision(32));
  EXPECT_FALSE(again.find(key(3)));
  EXPECT_EQ(mode_of(where), 0700U);
  EXPECT_EQ(mode_of(folder / "a"), 0700U);
  EXPECT_EQ(mode_of(where / "gpu.toml"), 0600U);
  EXPECT_EQ(mode_of(where / "gpu.toml.lock"), 0600U);
}

TEST(DecisionCache, KeepsEveryKindOfValueAndName) {
  TemporaryFolder folder;
  Decision odd = decision(1);
  odd.config = {{"\"q\"\n", std::string("line\nbreak \"q\" \\ \xc3\xa9")},
                {"a b", 0.1},
                {"big", std::int64_t{-9'000'000'000'000'000'000}},
                {"flag", true}};
  odd.program = "name with\nnewline and \"quotes\"";
  odd.runner_up.reset();
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), odd);
  ASSERT_TRUE(cache.save());
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.read(again.find(key(1))), odd);
}

TEST(DecisionCache, WorksInMemoryWithoutAFolder) {
  auto cache = DecisionCache::open({.identity = today()});
  EXPECT_EQ(cache.file(), "");
  cache.offer(key(1), decision(32));
  EXPECT_TRUE(cache.find(key(1)));
  EXPECT_TRUE(cache.save());
  EXPECT_EQ(cache.read(DecisionRef()), Decision{});
}

TEST(DecisionCache, EvidenceDecides) {
  auto cache = DecisionCache::open({.identity = today()});
  EXPECT_EQ(cache.offer(key(1), decision(32, 10)), Offer::kept);
  EXPECT_EQ(cache.offer(key(1), decision(64, 9)), Offer::less_evidence);
  EXPECT_EQ(cache.read(cache.find(key(1))).config, (Config{{"block", std::int64_t{32}}}));
  EXPECT_EQ(cache.offer(key(1), decision(64, 10)), Offer::kept);  // the later of equals
  EXPECT_EQ(cache.offer(key(1), decision(128, 11)), Offer::kept);
  EXPECT_EQ(cache.read(cache.find(key(1))).samples, 11U);
  EXPECT_EQ(cache.size(), 1U);
}

TEST(DecisionCache, IsNeverWorseThanTheDefault) {
  auto cache = DecisionCache::open({.identity = today()});
  Decision slow = decision(32);
  slow.elapsed = {151, 150, 152};
  EXPECT_EQ(cache.offer(key(1), slow), Offer::worse_than_default);
  EXPECT_FALSE(cache.find(key(1)));
  slow.elapsed.ns = 150;
  EXPECT_EQ(cache.offer(key(1), slow), Offer::kept);
}

TEST(DecisionCache, TimesThatAreNoneAreNotKnown) {
  auto cache = DecisionCache::open({.identity = today()});
  Decision odd = decision(32);
  odd.elapsed = {std::nan(""), 1, 2};
  odd.default_elapsed = {-1, 0, 0};
  cache.offer(key(1), odd);
  EXPECT_EQ(cache.read(cache.find(key(1))).elapsed, Estimate{});
  EXPECT_EQ(cache.read(cache.find(key(1))).default_elapsed, Estimate{});
}

TEST(DecisionCache, AnotherIdentityMakesASeedAndIsNotLost) {
  TemporaryFolder folder;
  CacheOptions old = options_for(folder.path());
  old.identity = yesterday();
  auto before = DecisionCache::open(old);
  before.offer(key(1), decision(32, 100));
  ASSERT_TRUE(before.save());

  auto cache = DecisionCache::open(options_for(folder.path()));
  ASSERT_TRUE(cache.find(key(1)));
  EXPECT_TRUE(cache.find(key(1)).is_seed());
  // Of today, though it rests on less.
  EXPECT_EQ(cache.offer(key(1), decision(64, 5)), Offer::kept);
  EXPECT_FALSE(cache.find(key(1)).is_seed());
  EXPECT_EQ(cache.read(cache.find(key(1))).samples, 5U);
  ASSERT_TRUE(cache.save());

  const auto back = DecisionCache::open(old);
  EXPECT_FALSE(back.find(key(1)).is_seed());
  EXPECT_EQ(back.read(back.find(key(1))).samples, 100U);
  EXPECT_EQ(back.entries().size(), 2U);
}

TEST(DecisionCache, SaysWhetherADecisionIsServed) {
  TemporaryFolder folder;
  auto system = DecisionCache::open(options_for(folder / "system"));
  ASSERT_EQ(system.offer(key(1), decision(1, 50)), Offer::kept);
  ASSERT_TRUE(system.save());
  CacheOptions options = options_for(folder / "user");
  options.system_folder = folder / "system";
  auto cache = DecisionCache::open(options);
  const auto block = [&] { return cache.read(cache.find(key(1))).config; };

  // A seed of another identity does not displace today's decision of the system.
  EXPECT_EQ(cache.offer(key(1), decision(2, 99), yesterday()), Offer::kept_unserved);
  EXPECT_EQ(block(), (Config{{"block", 1}}));
  // Nor does one over a space that is no longer today's.
  cache.declare_space({1, 2, 3}, "5pace");
  Decision old = decision(3, 99);
  old.space = "0ther";
  EXPECT_EQ(cache.offer(key(1), old), Offer::kept_unserved);
  EXPECT_EQ(block(), (Config{{"block", 1}}));
  EXPECT_EQ(cache.offer(key(1), decision(4, 1)), Offer::kept);
  EXPECT_EQ(block(), (Config{{"block", 4}}));
  // Of two seeds the one with more samples is served.
  EXPECT_EQ(cache.offer(key(2), decision(5, 20), yesterday()), Offer::kept);
  Identity older = yesterday();
  older.driver = "-1";
  EXPECT_EQ(cache.offer(key(2), decision(6, 10), older), Offer::kept_unserved);
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(parse_content(text_of(cache.file()), "f")->entries.size(), 4U);
}

TEST(DecisionCache, EveryOfferHasItsReason) {
  EXPECT_EQ(reason_of(Offer::kept), "");
  EXPECT_EQ(reason_of(Offer::kept_unserved),
            "another decision for the same key is served: one of today's device and space, or one "
            "with more samples");
  EXPECT_EQ(reason_of(Offer::less_evidence), "the decision that is there rests on more samples");
  EXPECT_EQ(reason_of(Offer::superseded),
            "the decision that is there was measured against it and chosen");
  EXPECT_EQ(reason_of(Offer::worse_than_default), "it is slower than the default");
  EXPECT_EQ(reason_of(Offer::no_workgroup_size),
            "a v1 key takes a workgroup size only, and each axis must be 1 or more");
}

TEST(DecisionCache, AnotherSpaceMakesASeed) {
  auto cache = DecisionCache::open({.identity = today()});
  cache.offer(key(1), decision(32, 100));
  const auto generation = cache.generation();
  cache.declare_space({1, 2, 3}, "0ther");
  EXPECT_GT(cache.generation(), generation);
  EXPECT_TRUE(cache.find(key(1)).is_seed());
  Decision fresh = decision(64, 5);
  fresh.space = "0ther";
  EXPECT_EQ(cache.offer(key(1), fresh), Offer::kept);
  EXPECT_FALSE(cache.find(key(1)).is_seed());
  cache.declare_space({1, 2, 3}, "5pace");
  EXPECT_TRUE(cache.find(key(1)).is_seed());
}

TEST(DecisionCache, LayersAreReadInOrderAndOnlyTheUsersIsWritten) {
  TemporaryFolder folder;
  const auto make = [&](const std::string& where, std::int64_t block,
                        std::vector<std::uint64_t> keys) {
    auto cache = DecisionCache::open(options_for(folder / where));
    for (const std::uint64_t k : keys) cache.offer(key(k), decision(block));
    EXPECT_TRUE(cache.save());
    return text_of(cache.file());
  };
  const std::string embedded = make("embedded", 1, {1, 2, 3});
  const std::string system = make("system", 2, {2, 3});
  make("user", 3, {3});
  CacheOptions options = options_for(folder / "user");
  options.system_folder = folder / "system";
  options.embedded = embedded;
  auto cache = DecisionCache::open(options);
  for (const std::int64_t n : {1, 2, 3}) {
    const auto found = cache.find(key(static_cast<std::uint64_t>(n)));
    EXPECT_EQ(cache.read(found).config, (Config{{"block", n}}));
  }
  EXPECT_EQ(cache.entries().size(), 6U);
  cache.offer(key(9), decision(9));
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(text_of(folder / "system/gpu.toml"), system);
  EXPECT_EQ(parse_content(text_of(folder / "user/gpu.toml"), "f")->entries.size(), 2U);
}

TEST(DecisionCache, NearestIsByRatioAndNeverTheShapeItself) {
  auto cache = DecisionCache::open({.identity = today()});
  for (const std::uint64_t n : {100U, 1000U, 10'000U}) {
    Decision d = decision(static_cast<std::int64_t>(n));
    d.shape = {n, 4};
    cache.offer(key(n), d);
  }
  const auto nearest = [&](std::vector<std::uint64_t> shape) {
    return cache.read(cache.nearest({1, 2, 3}, shape)).shape;
  };
  using Shape = std::vector<std::uint64_t>;
  EXPECT_EQ(nearest({350, 4}), (Shape{1000, 4}));
  EXPECT_EQ(nearest({1000, 4}), (Shape{100, 4}));
  EXPECT_EQ(nearest({1'000'000, 4}), (Shape{10'000, 4}));
  EXPECT_FALSE(cache.nearest({1, 2, 3}, Shape{5}));
  EXPECT_FALSE(cache.nearest({9}, Shape{350, 4}));
}

TEST(DecisionCache, ServesFromNeighboursWhatIsValid) {
  auto cache = DecisionCache::open({.identity = today()});
  const auto decide = [&](std::uint64_t n) {
    Decision d = decision(static_cast<std::int64_t>(n));
    d.shape = {n};
    cache.offer(key(n), d);
  };
  using Shape = std::vector<std::uint64_t>;
  const auto served = [&](const std::function<bool(const Config&)>& is_valid) {
    const Neighbourly near = cache.from_neighbours({1, 2, 3}, Shape{120}, is_valid);
    return near.decision ? cache.read(near.decision).shape : Shape{};
  };
  EXPECT_EQ(served({}), Shape{});
  decide(100);
  decide(200);
  EXPECT_EQ(served({}), Shape{100});
  EXPECT_EQ(served([](const Config& c) { return c != Config{{"block", 100}}; }), Shape{200});
  EXPECT_EQ(served([](const Config&) { return false; }), Shape{});
}

TEST(DecisionCache, TwoCachesMergeInOneFile) {
  TemporaryFolder folder;
  auto a = DecisionCache::open(options_for(folder.path()));
  auto b = DecisionCache::open(options_for(folder.path()));
  a.offer(key(1), decision(32));
  b.offer(key(2), decision(64));
  a.offer(key(3), decision(1, 50));
  b.offer(key(3), decision(2, 60));
  ASSERT_TRUE(a.save());
  ASSERT_TRUE(b.save());
  ASSERT_TRUE(a.save());  // nothing new of its own, but sees what b has saved
  EXPECT_EQ(a.size(), 3U);
  EXPECT_EQ(a.read(a.find(key(3))).samples, 60U);
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.size(), 3U);
  EXPECT_EQ(again.read(again.find(key(3))).samples, 60U);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"gpu.toml", "gpu.toml.lock"}));
}

TEST(DecisionCache, ImportsUnderTheirOwnIdentity) {
  TemporaryFolder folder;
  CacheOptions theirs = options_for(folder / "theirs");
  theirs.identity = yesterday();
  auto other = DecisionCache::open(theirs);
  other.offer(key(1), decision(1, 10));
  other.offer(key(2), decision(2, 10));
  ASSERT_TRUE(other.save());
  const std::string text = text_of(other.file());

  CacheOptions options = options_for({});
  options.file = folder / "named.toml";
  auto cache = DecisionCache::open(options);
  cache.offer(key(2), decision(7, 20), yesterday());
  EXPECT_EQ(*cache.import(text, "theirs"), 1U);  // the other rests on less
  EXPECT_EQ(*cache.import(text, "theirs"), 0U);
  EXPECT_TRUE(cache.find(key(1)).is_seed());
  EXPECT_EQ(cache.read(cache.find(key(2))).samples, 20U);
  EXPECT_FALSE(cache.import("no toml", "theirs"));
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(parse_content(text_of(folder / "named.toml"), "f")->entries.size(), 2U);
}

}  // namespace
}  // namespace vyre
