// The fleet's layer, and files that are replaced while a cache is open.

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/sample_decisions.h"

namespace vyre {
namespace {

using namespace testing;

std::string text_with(const std::vector<std::pair<Key, Decision>>& decisions) {
  TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  for (const auto& [key, decision] : decisions) cache.offer(key, decision);
  EXPECT_TRUE(cache.save());
  return text_of(cache.file());
}

// As an agent does it.
void replace(const std::filesystem::path& file, std::string_view text) {
  std::filesystem::create_directories(file.parent_path());
  const std::filesystem::path fresh = file.string() + ".new";
  write_text(fresh, text);
  std::filesystem::rename(fresh, file);
}

std::int64_t served_block(const DecisionCache& cache, std::uint64_t n) {
  const Config config = cache.read(cache.find(key(n))).config;
  const Value* value = config.find("block");
  return value == nullptr ? 0 : std::get<std::int64_t>(*value);
}

struct Folders {
  TemporaryFolder all;
  Seen seen;
  std::filesystem::path fleet() const { return all / "fleet/gpu.toml"; }
  DecisionCache open() {
    CacheOptions options = options_for(all / "user");
    options.system_folder = all / "system";
    options.fleet_folder = all / "fleet";
    options.events = seen.sink();
    return DecisionCache::open(options);
  }
};

TEST(FleetLayer, StandsBetweenTheSystemAndTheUser) {
  Folders f;
  replace(f.all / "system/gpu.toml", text_with({{key(1), decision(1, 90)}, {key(2), decision(1)}}));
  replace(f.fleet(), text_with({{key(1), decision(2, 50)}, {key(3), decision(2, 50)}}));
  replace(f.all / "user/gpu.toml", text_with({{key(3), decision(3, 10)}}));
  auto cache = f.open();
  EXPECT_EQ(served_block(cache, 1), 2);
  EXPECT_EQ(served_block(cache, 2), 1);
  EXPECT_EQ(served_block(cache, 3), 3);
  const std::string before = text_of(f.fleet());
  cache.offer(key(4), decision(4));
  ASSERT_TRUE(cache.save());
  EXPECT_EQ(text_of(f.fleet()), before);
  EXPECT_EQ(std::ranges::count(cache.entries(), Layer::fleet, &CacheEntry::layer), 2);
  EXPECT_FALSE(std::filesystem::exists(f.fleet().string() + ".lock"));
}

TEST(Refresh, TakesUpAFileThatWasReplaced) {
  Folders f;
  auto cache = f.open();
  EXPECT_EQ(*cache.refresh(), false);
  replace(f.fleet(), text_with({{key(1), decision(1, 50)}}));
  EXPECT_FALSE(cache.find(key(1)));
  const std::uint64_t before = cache.generation();
  EXPECT_EQ(*cache.refresh(), true);
  EXPECT_EQ(served_block(cache, 1), 1);
  EXPECT_GT(cache.generation(), before);
  EXPECT_EQ(*cache.refresh(), false);
  replace(f.fleet(), text_with({{key(1), decision(2, 60)}, {key(2), decision(2)}}));
  EXPECT_EQ(*cache.refresh(), true);
  EXPECT_EQ(served_block(cache, 1), 2);
  EXPECT_EQ(cache.size(), 2U);
  // Less evidence than there is, and no word of another key: both stay.
  replace(f.fleet(), text_with({{key(1), decision(3, 5)}}));
  EXPECT_EQ(*cache.refresh(), true);
  EXPECT_EQ(served_block(cache, 1), 2);
  EXPECT_EQ(served_block(cache, 2), 2);
}

TEST(Refresh, ReadsTheSameDecisionsAgainWithoutGrowing) {
  Folders f;
  const std::string text = text_with({{key(1), decision(1)}, {key(2), decision(2)}});
  replace(f.fleet(), text);
  auto cache = f.open();
  const std::size_t bytes = cache.memory_bytes();
  const DecisionRef found = cache.find(key(1));
  for (int k = 0; k < 10; ++k) {
    replace(f.fleet(), text);
    ASSERT_TRUE(cache.refresh());
  }
  EXPECT_EQ(cache.memory_bytes(), bytes);
  EXPECT_EQ(cache.find(key(1)), found);
}

TEST(Refresh, ReadsTheUsersFileToo) {
  Folders f;
  auto one = f.open();
  auto other = f.open();
  one.offer(key(1), decision(1));
  ASSERT_TRUE(one.save());
  EXPECT_EQ(*other.refresh(), true);
  EXPECT_EQ(served_block(other, 1), 1);
  other.offer(key(2), decision(2));
  ASSERT_TRUE(other.save());
  EXPECT_EQ(*one.refresh(), true);
  EXPECT_EQ(served_block(one, 2), 2);
}

TEST(Refresh, AFileThatCannotBeReadIsAnErrorAndNothingChanges) {
  Folders f;
  replace(f.fleet(), text_with({{key(1), decision(1)}}));
  auto cache = f.open();
  replace(f.fleet(), "no toml");
  replace(f.all / "user/gpu.toml", text_with({{key(2), decision(2)}}));
  const auto refreshed = cache.refresh();
  ASSERT_FALSE(refreshed);
  EXPECT_NE(refreshed.error().message.find(f.fleet().string()), std::string::npos);
  EXPECT_EQ(served_block(cache, 1), 1);
  EXPECT_EQ(served_block(cache, 2), 2) << "the other files were read";
  EXPECT_TRUE(f.seen.messages.empty());
  replace(f.fleet(), text_with({{key(1), decision(3, 99)}}));
  EXPECT_EQ(*cache.refresh(), true);
  EXPECT_EQ(served_block(cache, 1), 3);
}

TEST(Refresh, AFleetsFileThatCannotBeReadAtTheStartIsAnEvent) {
  Folders f;
  replace(f.fleet(), "no toml");
  const auto cache = f.open();
  ASSERT_EQ(f.seen.messages.size(), 1U);
  EXPECT_NE(f.seen.messages[0].find(f.fleet().string()), std::string::npos);
  EXPECT_FALSE(cache.load_error()) << "the user's file can be written";
}

TEST(Refresh, WithoutFilesThereIsNothingToDo) {
  auto cache = DecisionCache::open({.identity = today()});
  EXPECT_EQ(*cache.refresh(), false);
}

}  // namespace
}  // namespace vyre
