// A snapshot that is served instead of all decisions.

#include <gtest/gtest.h>

#include "testing/sample_decisions.h"

namespace vyre {
namespace {

using namespace testing;

CacheEntry pinned(std::uint64_t n, std::int64_t block, const Identity& identity) {
  return {.key = key(n), .identity = id_of(identity), .decision = decision(block)};
}

TEST(Pin, ServesTheSnapshotAndNothingElse) {
  TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), decision(1));
  cache.offer(key(2), decision(2));
  EXPECT_FALSE(cache.is_pinned());
  const std::uint64_t before = cache.generation();
  cache.pin({pinned(1, 7, today()), pinned(3, 8, yesterday())});
  EXPECT_TRUE(cache.is_pinned());
  EXPECT_GT(cache.generation(), before);
  EXPECT_EQ(cache.read(cache.find(key(1))), decision(7));
  EXPECT_FALSE(cache.find(key(1)).is_seed());
  EXPECT_FALSE(cache.find(key(2)));
  EXPECT_TRUE(cache.find(key(3)).is_seed());
  EXPECT_EQ(cache.entry(cache.find(key(3))).identity, id_of(yesterday()));
  EXPECT_EQ(cache.read(cache.find_kept(key(2))), decision(2));
  // What is kept is not touched, and goes on to be saved.
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.entries().size(), 2U);
  EXPECT_EQ(cache.offer(key(4), decision(4)), Offer::kept_unserved);
  ASSERT_TRUE(cache.save());
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.size(), 3U);
  EXPECT_EQ(again.read(again.find(key(1))), decision(1));
}

TEST(Pin, NeighboursAreThoseOfTheSnapshot) {
  auto cache = DecisionCache::open({.identity = today()});
  using Shape = std::vector<std::uint64_t>;
  const auto nearest = [&](std::uint64_t n) {
    return cache.read(cache.nearest({1, 2, 3}, Shape{n})).shape;
  };
  cache.offer(key(100), decision(100));  // its shape is its block
  EXPECT_EQ(nearest(110), Shape{100});
  cache.pin({pinned(1000, 1000, today()), pinned(4000, 4000, yesterday())});
  EXPECT_EQ(nearest(110), Shape{1000});
  // Of two that are as near, the seed comes no later: ranks with other devices see the same.
  const Shape between = nearest(2000);
  cache.declare_space({1, 2, 3}, "0ther");
  EXPECT_EQ(nearest(2000), between);
  cache.pin({pinned(500, 500, today())});
  EXPECT_EQ(nearest(110), Shape{500});
  cache.pin({});
  EXPECT_EQ(nearest(110), Shape{});
}

TEST(Pin, ADecisionThatStaysKeepsItsPlaceInMemory) {
  auto cache = DecisionCache::open({.identity = today()});
  std::vector<CacheEntry> many;
  for (std::uint64_t n = 0; n < 500; ++n) many.push_back(pinned(n, 1, today()));
  cache.pin(many);
  const DecisionRef first = cache.find(key(0));
  for (const CacheEntry& one : many) EXPECT_EQ(cache.read(cache.find(one.key)), one.decision);
  many[1].decision = decision(2);
  cache.pin(many);
  EXPECT_EQ(cache.find(key(0)), first);
  EXPECT_EQ(cache.read(cache.find(key(1))), decision(2));
  // Offers beyond the first index go on while a snapshot is served.
  for (std::uint64_t n = 1000; n < 1200; ++n) cache.offer(key(n), decision(3));
  EXPECT_FALSE(cache.find(key(1000)));
  EXPECT_TRUE(cache.find_kept(key(1199)));
}

TEST(Pin, EntriesSayWhichIsBest) {
  auto cache = DecisionCache::open({.identity = today()});
  cache.offer(key(1), decision(1, 100), yesterday());
  cache.offer(key(1), decision(2, 5));
  for (const bool is_pinned : {false, true}) {
    if (is_pinned) cache.pin({});
    for (const CacheEntry& entry : cache.entries()) {
      EXPECT_EQ(entry.is_best, entry.identity == id_of(today()));
    }
  }
}

}  // namespace
}  // namespace vyre
