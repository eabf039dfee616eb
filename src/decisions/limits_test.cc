// Files that are too large, and processes that must not save.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decisions/file_content.h"
#include "testing/sample_decisions.h"

namespace vyre {
namespace {

using testing::decision;
using ::testing::HasSubstr;
using testing::key;

std::string text_of_decisions(std::uint64_t count) {
  FileContent content;
  content.identities.emplace("i", testing::today());
  for (std::uint64_t n = 0; n < count; ++n) {
    content.entries.push_back({key(n), "i", decision(static_cast<std::int64_t>(n))});
  }
  return print_content(content);
}

TEST(LimitsOfFiles, TooManyDecisionsAreRefused) {
  const std::string text = text_of_decisions(3);
  EXPECT_EQ(parse_content(text, "f", {.decisions = 3})->entries.size(), 3U);
  const auto refused = parse_content(text, "f", {.decisions = 2});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "\"f\": has more than 2 decisions; prune it");
}

// Values take twenty times the memory of their text.
TEST(LimitsOfFiles, TooManyOtherValuesAreRefused) {
  std::string text = "x = [1";
  for (int k = 0; k < 3'000'000; ++k) text += ", 1";
  text += "]\n";
  const auto refused = parse_content(text, "f");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("in a spelling that is not vyre's, more than the limit of 8388608"));
}

TEST(LimitsOfFiles, PackedEntriesComeBackAsTheyWere) {
  FileEntries entries;
  for (const std::uint64_t n : {7U, 3U, 5U}) {
    entries.push_back({key(n), n == 3 ? "b" : "a", decision(static_cast<std::int64_t>(n))});
  }
  entries.push_back({key(1), "c", {.config = workgroup_config({64, 1, 1})}});
  EXPECT_EQ(entries.erase_if([](const FileEntry& e) { return e.key == key(5); }), 1U);
  entries.sort();
  ASSERT_EQ(entries.size(), 3U);
  std::vector<FileEntry> seen;
  entries.for_each([&](FileEntry&& entry) { seen.push_back(std::move(entry)); });
  const std::vector<FileEntry> wanted{{key(7), "a", decision(7)},
                                      {key(3), "b", decision(3)},
                                      {key(1), "c", {.config = workgroup_config({64, 1, 1})}}};
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    EXPECT_EQ(seen[k].key, wanted[k].key);
    EXPECT_EQ(seen[k].identity, wanted[k].identity);
    EXPECT_EQ(seen[k].decision, wanted[k].decision);
  }
}

// A child of this process has no other threads, and locks that they held stay so.
TEST(Forks, AChildCannotSaveItsParentsCache) {
  const testing::TemporaryFolder folder;
  auto cache = DecisionCache::open(testing::options_for(folder.path()));
  const pid_t child = ::fork();
  if (child == 0) {
    const auto saved = cache.save();
    ::_exit(!saved && saved.error().message.ends_with("; open another after the fork") ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(cache.save());
}

}  // namespace
}  // namespace vyre
