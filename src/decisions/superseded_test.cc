// Decisions that were measured against others: which one stays, in which file they ever meet.

#include <gtest/gtest.h>

#include <algorithm>

#include "decisions/file_content.h"
#include "testing/sample_decisions.h"
#include "vyre/decisions.h"

namespace vyre {
namespace {

using namespace testing;

// A decision that was made at that time.
Decision made(std::int64_t block, std::uint32_t samples, std::int64_t at) {
  Decision out = decision(block, samples);
  out.decided_at = at;
  return out;
}

Decision after(const Decision& old, Decision fresh) {
  supersede(fresh, old, today());
  return fresh;
}

std::string file_with(const Decision& decision) {
  TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(cache.offer(key(1), decision), Offer::kept);
  EXPECT_TRUE(cache.save());
  return text_of(cache.file());
}

// The blocks of the decisions that stay when files with one decision each are merged, in all
// orders.
std::vector<std::int64_t> merged(std::vector<Decision> decisions) {
  std::vector<std::string> files;
  for (const Decision& d : decisions) files.push_back(file_with(d));
  std::ranges::sort(files);
  std::vector<std::int64_t> out;
  do {
    auto cache = DecisionCache::open({.identity = today()});
    for (const std::string& text : files) EXPECT_TRUE(cache.import(text, "f"));
    EXPECT_EQ(cache.size(), 1U);
    out.push_back(std::get<std::int64_t>(*cache.read(cache.find(key(1))).config.find("block")));
  } while (std::ranges::next_permutation(files).found);
  const auto twice = std::ranges::unique(out);
  out.erase(twice.begin(), twice.end());
  return out;
}

using Blocks = std::vector<std::int64_t>;

TEST(Supersede, TheFasterStaysWhateverTheSamples) {
  const Decision old = made(1, 100, 1000);
  const Decision fresh = after(old, made(2, 5, 2000));
  auto cache = DecisionCache::open({.identity = today()});
  EXPECT_EQ(cache.offer(key(1), old), Offer::kept);
  EXPECT_EQ(cache.offer(key(1), made(2, 5, 2000)), Offer::less_evidence);
  EXPECT_EQ(cache.offer(key(1), fresh), Offer::kept);
  EXPECT_EQ(cache.offer(key(1), old), Offer::superseded);
  EXPECT_EQ(cache.read(cache.find(key(1))), fresh);
  EXPECT_EQ(merged({old, fresh}), Blocks{2});
}

TEST(Supersede, AClockThatWentBackDoesNotMatter) {
  const Decision old = made(1, 10, 2000);
  EXPECT_EQ(merged({old, after(old, made(2, 10, 1000))}), Blocks{2});
}

TEST(Supersede, ChainsHoldWhereTheMiddleIsMissing) {
  const Decision first = made(1, 100, 1000);
  const Decision second = after(first, made(2, 50, 2000));
  const Decision third = after(second, made(3, 5, 3000));
  EXPECT_EQ(third.supersedes.ids,
            (std::vector<std::string>{id_of(second, today()), id_of(first, today())}));
  EXPECT_EQ(third.supersedes.samples, 102U);
  EXPECT_EQ(merged({first, third}), Blocks{3});
  EXPECT_EQ(merged({second, third}), Blocks{3});
  EXPECT_EQ(merged({first, second, third}), Blocks{3});
}

TEST(Supersede, ChainsDoNotGrowForEver) {
  Decision last = made(1, 10, 1000);
  Decision before = last;
  for (std::int64_t k = 2; k < 100; ++k) {
    before = last;
    last = after(last, made(k, 10, 1000 + k));
  }
  EXPECT_EQ(last.supersedes.ids.size(), 16U);
  EXPECT_EQ(merged({before, last}), Blocks{99});  // however long the chain is
}

TEST(Supersede, UnrelatedDecisionsGoByEvidence) {
  EXPECT_EQ(merged({made(1, 100, 1000), made(2, 50, 2000)}), Blocks{1});
  // One that was chosen over a decision of 100 samples counts for one more.
  const Decision old = made(1, 100, 1000);
  const Decision fresh = after(old, made(2, 5, 2000));
  EXPECT_EQ(merged({old, fresh, made(3, 60, 3000)}), Blocks{2});
  EXPECT_EQ(merged({old, fresh, made(3, 100, 3000)}), Blocks{2});
  EXPECT_EQ(merged({old, fresh, made(3, 200, 500)}), Blocks{3});
}

TEST(Supersede, AClockDecidesNothing) {
  for (const std::int64_t hour : {-3600, 0, 3600}) {
    EXPECT_EQ(merged({made(1, 50, 10'000), made(2, 51, 10'000 + hour)}), Blocks{2});
    // Of equals one stays, in whatever order they meet.
    EXPECT_EQ(merged({made(1, 50, 10'000), made(2, 50, 10'000 + hour)}).size(), 1U);
    const Decision old = made(1, 50, 10'000);
    EXPECT_EQ(merged({after(old, made(2, 5, hour)), after(old, made(3, 5, 0)), old}).size(), 1U);
  }
}

// Files of earlier versions: a decision counts for as many samples as the one that it superseded.
TEST(Supersede, OlderFilesAreHonouredToo) {
  const Decision old = made(1, 100, 2000);
  Decision fresh = after(old, made(2, 5, 1000));
  fresh.supersedes.samples = 100;
  EXPECT_EQ(merged({old, fresh}), Blocks{2});
}

TEST(Supersede, ALaterDecisionTakesThePlaceAndMergingHonoursIt) {
  const Decision old = made(1, 50, 2000);
  Decision other_space = made(3, 5, 1000);
  other_space.space = "0ther";
  for (const Decision& fresh : {made(2, 50, 1000), other_space}) {
    auto cache = DecisionCache::open({.identity = today()});
    EXPECT_EQ(cache.offer(key(1), old), Offer::kept);
    EXPECT_EQ(cache.offer(key(1), fresh), Offer::kept);
    const Decision kept = cache.read(cache.find(key(1)));
    EXPECT_EQ(kept.config, fresh.config);
    EXPECT_EQ(kept.supersedes.ids, std::vector<std::string>{id_of(old, today())});
    EXPECT_EQ(cache.offer(key(1), old), Offer::superseded);
    EXPECT_EQ(merged({old, kept}), (Blocks{std::get<std::int64_t>(*fresh.config.find("block"))}));
  }
}

TEST(Supersede, TheSameDecisionAgainChangesNothing) {
  auto cache = DecisionCache::open({.identity = today()});
  const Decision d = made(1, 50, 2000);
  EXPECT_EQ(cache.offer(key(1), d), Offer::kept);
  const DecisionRef found = cache.find(key(1));
  EXPECT_EQ(cache.offer(key(1), d), Offer::kept);
  EXPECT_EQ(cache.find(key(1)), found);
  EXPECT_EQ(cache.read(found), d);
}

TEST(Supersede, AnotherIdentityIsAnotherDecision) {
  const Decision old = made(1, 100, 1000);
  EXPECT_NE(id_of(old, today()), id_of(old, yesterday()));
  Decision fresh = made(2, 5, 2000);
  supersede(fresh, old, yesterday());
  EXPECT_EQ(merged({old, made(2, 5, 2000)}), Blocks{1});
  auto cache = DecisionCache::open({.identity = today()});
  EXPECT_EQ(cache.offer(key(1), old), Offer::kept);
  EXPECT_EQ(cache.offer(key(1), fresh, yesterday()), Offer::kept_unserved);
}

TEST(Supersede, IdsNameWhatWasDecided) {
  const Decision d = made(1, 100, 1000);
  const std::string id = id_of(d, today());
  EXPECT_EQ(id.size(), 16U);
  Decision same = d;
  same.elapsed = {1, 1, 1};
  same.program = "renamed";
  EXPECT_EQ(id_of(same, today()), id);
  EXPECT_NE(id_of(made(2, 100, 1000), today()), id);
  EXPECT_NE(id_of(made(1, 101, 1000), today()), id);
  EXPECT_NE(id_of(made(1, 100, 1001), today()), id);
}

TEST(Supersede, ProcessesThatShareAFileAgree) {
  TemporaryFolder folder;
  auto one = DecisionCache::open(options_for(folder.path()));
  const Decision old = made(1, 100, 1000);
  one.offer(key(1), old);
  ASSERT_TRUE(one.save());
  auto other = DecisionCache::open(options_for(folder.path()));
  const Decision fresh = after(old, made(2, 5, 2000));
  EXPECT_EQ(other.offer(key(1), fresh), Offer::kept);
  ASSERT_TRUE(other.save());
  one.offer(key(2), made(9, 1, 3000));
  ASSERT_TRUE(one.save());  // must not bring the old one back
  EXPECT_EQ(one.read(one.find(key(1))), fresh);
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.read(again.find(key(1))), fresh);
}

TEST(DecisionFile, HasGainDriftClockAndAncestors) {
  Decision full = after(made(1, 100, 1000), made(2, 5, 2000));
  full.gain = {.times = 2.5, .low = 2, .high = 3.25, .pairs = 12};
  full.drift = 1.5;
  full.host_clock = true;
  full.kernels = {{40, 24, 2048}, {16, 0, 0}};
  TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), full);
  ASSERT_TRUE(cache.save());
  const std::string text = text_of(cache.file());
  EXPECT_NE(text.find("drift = 1.5"), text.npos) << text;
  EXPECT_NE(text.find("host_clock = true, kernels"), text.npos) << text;
  EXPECT_NE(text.find("kernels = [[40, 24, 2048], [16, 0, 0]]"), text.npos) << text;
  EXPECT_NE(text.find("gain = {high = 3.25, low = 2.0, pairs = 12, times = 2.5}"), text.npos);
  EXPECT_NE(text.find("supersedes = {ids = [\"" + full.supersedes.ids[0] + "\"], samples = 101}"),
            text.npos);
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(again.read(again.find(key(1))), full);
  EXPECT_EQ(times_faster(full), 2.5);
}

TEST(DecisionFile, OlderFilesHaveNoGain) {
  TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), decision(32));
  ASSERT_TRUE(cache.save());
  std::string text = text_of(cache.file());
  text.replace(text.find("schema = 3"), 10, "schema = 2");
  write_text(cache.file(), text);
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_FALSE(again.load_error());
  const Decision read = again.read(again.find(key(1)));
  EXPECT_EQ(read, decision(32));
  EXPECT_EQ(read.gain, Gain{});
  EXPECT_EQ(times_faster(read), 1.5);  // of the estimates
  EXPECT_EQ(times_faster(Decision{}), std::nullopt);
}

TEST(DecisionCache, AGainBelowOneIsWorseThanTheDefault) {
  auto cache = DecisionCache::open({.identity = today()});
  Decision slower = decision(1);  // its estimates look 1.5 times faster
  slower.gain = {.times = 0.9, .low = 0.8, .high = 1.1, .pairs = 9};
  EXPECT_EQ(cache.offer(key(1), slower), Offer::worse_than_default);
  slower.gain = {.times = std::nan(""), .low = 0.8, .high = 1.1, .pairs = 9};
  EXPECT_EQ(cache.offer(key(1), slower), Offer::kept);
  EXPECT_EQ(cache.read(cache.find(key(1))).gain, Gain{});
}

}  // namespace
}  // namespace vyre
