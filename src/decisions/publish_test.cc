// A save publishes only what can be read again.

#include <gtest/gtest.h>

#include "testing/sample_decisions.h"

namespace vyre {
namespace {

using namespace testing;

std::string deep_table(std::size_t depth) {
  std::string out = "[a";
  for (std::size_t k = 1; k < depth; ++k) out += ".a";
  return out + "]\nx = 1\n";
}

TEST(Publish, TablesAreKeptAsDeepAsTheyMayBe) {
  TemporaryFolder folder;
  write_text(folder / "gpu.toml", deep_table(64));
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), decision(32));
  ASSERT_TRUE(cache.save());
  const auto again = DecisionCache::open(options_for(folder.path()));
  EXPECT_FALSE(again.load_error());
  EXPECT_EQ(again.size(), 1U);
}

TEST(Publish, AFileThatIsDeeperIsLeftAlone) {
  TemporaryFolder folder;
  for (const std::size_t depth : {65U, 260U, 15'000U}) {
    write_text(folder / "gpu.toml", deep_table(depth));
    auto cache = DecisionCache::open(options_for(folder.path()));
    cache.offer(key(1), decision(32));
    EXPECT_TRUE(cache.find(key(1)));
    const auto saved = cache.save();
    ASSERT_FALSE(saved) << depth;
    EXPECT_TRUE(saved.error().message.ends_with(
        "gpu.toml\": line 1: more than 64 tables or lists within each other; repair or remove the "
        "file"))
        << saved.error().message;
    EXPECT_EQ(text_of(folder / "gpu.toml"), deep_table(depth));
  }
}

// Both names become the same one in UTF-8, and a table cannot have a name twice.
TEST(Publish, ATextThatCannotBeReadAgainIsNotWritten) {
  TemporaryFolder folder;
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(1), decision(32));
  ASSERT_TRUE(cache.save());
  const std::string before = text_of(folder / "gpu.toml");
  Decision odd = decision(64);
  odd.config = Config{{"\xff", std::int64_t{1}}, {"\xfe", std::int64_t{2}}};
  cache.offer(key(2), odd);
  const auto saved = cache.save();
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().message,
            "nothing is saved in \"" + (folder / "gpu.toml").string() +
                "\": the text could not be read again; keep the names in configurations to UTF-8");
  EXPECT_EQ(text_of(folder / "gpu.toml"), before);
  EXPECT_TRUE(cache.find(key(2))) << "served from memory";
}

TEST(Publish, AFileBeyondTheLimitIsNotWritten) {
  TemporaryFolder folder;
  auto options = options_for(folder.path());
  {
    auto cache = DecisionCache::open(options);
    cache.offer(key(1), decision(32));
    ASSERT_TRUE(cache.save());
  }
  const std::string before = text_of(folder / "gpu.toml");
  options.limit_bytes = before.size();
  auto cache = DecisionCache::open(options);
  ASSERT_FALSE(cache.load_error()) << "exactly the limit";
  cache.offer(key(2), decision(64));
  const auto saved = cache.save();
  ASSERT_FALSE(saved);
  EXPECT_TRUE(
      saved.error().message.starts_with("\"" + (folder / "gpu.toml").string() + "\" would have "))
      << saved.error().message;
  EXPECT_TRUE(saved.error().message.ends_with(" bytes, more than the limit of " +
                                              std::to_string(before.size()) +
                                              "; prune it or raise the limit"))
      << saved.error().message;
  EXPECT_EQ(text_of(folder / "gpu.toml"), before);
}

// An entry that was wrong is kept, until a decision takes its place.
TEST(Publish, AWrongEntryDoesNotSpoilTheDecisionThatTakesItsPlace) {
  TemporaryFolder folder;
  write_text(folder / "gpu.toml", "[decisions." + id_of(today()) + "]\n" + to_string(key(1)) +
                                      " = {config = {}, drift = \"wrong\"}\n");
  auto cache = DecisionCache::open(options_for(folder.path()));
  EXPECT_EQ(cache.size(), 0U);
  cache.offer(key(1), decision(32));
  const auto saved = cache.save();
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_TRUE(DecisionCache::open(options_for(folder.path())).find(key(1)));
}

TEST(Publish, DecisionsOfNoIdentityAreKeptAsTheyAre) {
  TemporaryFolder folder;
  const std::string wrong = "[decisions.\"\"]\n" + to_string(key(1)) + " = {config = {}}\n";
  write_text(folder / "gpu.toml", wrong);
  Seen seen;
  auto options = options_for(folder.path());
  options.events = seen.sink();
  auto cache = DecisionCache::open(options);
  EXPECT_EQ(cache.size(), 0U);
  ASSERT_EQ(seen.messages.size(), 1U);
  EXPECT_TRUE(seen.messages[0].ends_with("is skipped and kept: it is no table of decisions"));
  cache.offer(key(2), decision(32));
  ASSERT_TRUE(cache.save());
  EXPECT_NE(text_of(folder / "gpu.toml").find(wrong), std::string::npos);
}

TEST(Publish, FilesOfOthersHaveTheirOwnLimit) {
  TemporaryFolder folder;
  const std::string text = "# by hand\nv1-" + std::string(64, 'a') + " = [64, 1, 1]\n";
  write_text(folder / "gpu.toml", text);
  auto options = options_for(folder.path());
  options.foreign_limit_bytes = text.size();
  EXPECT_EQ(DecisionCache::open(options).size(), 1U);
  options.foreign_limit_bytes = text.size() - 1;
  const auto refused = DecisionCache::open(options);
  ASSERT_TRUE(refused.load_error());
  EXPECT_NE(refused.load_error()->message.find("in a spelling that is not vyre's"),
            std::string::npos);
}

}  // namespace
}  // namespace vyre
