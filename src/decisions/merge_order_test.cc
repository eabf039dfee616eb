// Merging gives one result, whatever the order of the decisions and whatever their clocks said.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "decisions/evidence.h"
#include "decisions/records.h"
#include "testing/sample_decisions.h"
#include "testing/soak.h"

namespace vyre {
namespace {

using namespace testing;

constexpr std::int64_t kHour = 3600;

// Decisions for one key: many with equally many samples, some over another space, some that took
// the place of others, clocks that are an hour apart.
std::vector<FileEntry> rivals(std::mt19937_64& random) {
  std::vector<FileEntry> out;
  for (std::int64_t k = 0; k < 6; ++k) {
    Decision made = decision(k, 10 + random() % 2);
    made.decided_at += static_cast<std::int64_t>(random() % 3) * kHour - kHour;
    if (random() % 4 == 0) made.space = "0ther";
    if (!out.empty() && random() % 2 == 0) {
      note_superseded(made, out[random() % out.size()].decision, id_of(today()));
    }
    out.push_back({.key = key(1), .identity = id_of(today()), .decision = std::move(made)});
  }
  return out;
}

Decision merge_all(const std::vector<FileEntry>& entries) {
  Records records(id_of(today()));
  for (FileEntry entry : entries) {
    records.insert(std::move(entry), Layer::user, Records::Origin::imported);
  }
  EXPECT_EQ(records.size(), 1U);
  return records.read(*records.find(key(1)).get());
}

TEST(MergeOrder, PermutationsGiveOneResult) {
  constexpr std::uint32_t kOrders = 100;  // of one set of decisions
  std::mt19937_64 random(20);
  const std::uint32_t permutations = cases(100'000, 1'000'000, 10'000);
  for (std::uint32_t k = 0; k < permutations / kOrders; ++k) {
    std::vector<FileEntry> entries = rivals(random);
    const Decision wanted = merge_all(entries);
    for (std::uint32_t order = 0; order < kOrders; ++order) {
      std::ranges::shuffle(entries, random);
      ASSERT_EQ(merge_all(entries), wanted) << "set " << k;
    }
  }
}

// The winner of a part may meet the others later, and more than once.
TEST(MergeOrder, GroupsAndRepetitionsGiveTheSame) {
  std::mt19937_64 random(21);
  for (std::uint32_t k = 0; k < cases(300, 10'000, 100); ++k) {
    std::vector<FileEntry> entries = rivals(random);
    const Decision wanted = merge_all(entries);
    std::ranges::shuffle(entries, random);
    const auto cut = entries.begin() + static_cast<std::ptrdiff_t>(1 + random() % 5);
    const std::string id = id_of(today());
    std::vector<FileEntry> parts{{key(1), id, merge_all({entries.begin(), cut})},
                                 {key(1), id, merge_all({cut, entries.end()})}};
    EXPECT_EQ(merge_all(parts), wanted);
    parts.insert(parts.end(), entries.begin(), entries.end());
    parts.push_back(parts.front());
    EXPECT_EQ(merge_all(parts), wanted);
  }
}

TEST(MergeOrder, WhatTookAPlaceIsGreaterThanAllBeforeIt) {
  const std::string id = id_of(today());
  std::vector<Decision> chain{decision(0, 100)};
  for (std::int64_t k = 1; k < 40; ++k) {
    Decision next = decision(k, 1);
    note_superseded(next, chain.back(), id);
    for (const Decision& old : chain) {
      EXPECT_TRUE(is_greater(next, old, id));
      EXPECT_FALSE(is_greater(old, next, id));
    }
    chain.push_back(next);
  }
  EXPECT_FALSE(is_greater(chain[3], chain[3], id));
}

// Processes that save in one file, each with a decision of its own for the key.
TEST(MergeOrder, SavesGiveOneResultToo) {
  std::vector<Decision> kept;
  std::vector<std::int64_t> blocks{1, 2, 3};
  do {
    TemporaryFolder folder;
    std::vector<DecisionCache> processes;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      processes.push_back(DecisionCache::open(options_for(folder.path())));
    }
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      Decision d = decision(blocks[k]);
      d.decided_at += blocks[k] == 2 ? -kHour : kHour;
      EXPECT_EQ(processes[k].offer(key(1), d), Offer::kept);
    }
    for (DecisionCache& process : processes) ASSERT_TRUE(process.save());
    const auto after = DecisionCache::open(options_for(folder.path()));
    kept.push_back(after.read(after.find(key(1))));
  } while (std::ranges::next_permutation(blocks).found);
  for (const Decision& one : kept) EXPECT_EQ(one, kept.front());
}

}  // namespace
}  // namespace vyre
