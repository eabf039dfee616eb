// Rows of the server are read like files of strangers.

#include "agent/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "agent/mirror.h"
#include "agent/numbers.h"
#include "agent/shared_decisions.h"
#include "testing/soak.h"

namespace vyre::agent {
namespace {

using ::testing::HasSubstr;
using testing::shared;

TEST(Rows, AreReadAsTheyWereWritten) {
  SharedDecision one = shared(64);
  one.decision.supersedes = {.ids = {"0123456789abcdef"}, .samples = 40};
  const auto row = to_row(one);
  ASSERT_TRUE(row) << row.error().message;
  EXPECT_EQ((*row)[3], "40");
  EXPECT_EQ((*row)[4], "1");
  const auto again = from_row(*row);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, one);
}

TEST(Rows, ThatSayTwoThingsAreRefused) {
  const Row right = *to_row(shared(64));
  const Row other = *to_row(shared(65));
  const Row more = *to_row(shared(64, 11));
  struct Case {
    std::size_t column;
    std::string value;
    const char* message;
  };
  const Case cases[] = {
      {0, "../gpu", "do not fit together"},
      {1, std::string(16, '0'), "its columns say something else than its entry"},
      {2, other[2], "its columns say something else than its entry"},
      {3, "4294967295", "its columns say something else than its entry"},
      {4, "1", "its columns say something else than its entry"},
      {5, std::string(64, 'f'), "its columns say something else than its entry"},
      {6, more[6], "its columns say something else than its entry"},
      {6, other[6], "its columns say something else than its entry"},
      {6, "schema = 3\n", "its entry is not one decision with its identity"},
      {6, "schema = 4\n", "schema 4"},
      {6, "\xff\xff", "entry"},
      {6, right[6] + other[6], "entry"},
      {6, std::string(65537, '#'), "its entry has 65537 bytes"},
      {6, "", "its entry is not one decision"},
  };
  for (const Case& one : cases) {
    Row row = right;
    row[one.column] = one.value;
    const auto read = from_row(row);
    ASSERT_FALSE(read) << one.message;
    EXPECT_THAT(read.error().message, HasSubstr(one.message));
  }
  EXPECT_EQ(from_row({"gpu"}).error().message, "it has 1 columns");
}

// Any bytes in any column: an error, or the decision that all columns agree on.
TEST(Rows, DamagedOnesAreRefused) {
  const SharedDecision one = shared(64);
  const Row right = *to_row(one);
  std::mt19937_64 random(1);
  for (std::uint32_t k = 0; k < testing::cases(5000, 500'000); ++k) {
    Row row = right;
    std::string& column = row[random() % 3 == 0 ? random() % row.size() : row.size() - 1];
    for (auto changes = 1 + random() % 3; changes > 0 && !column.empty(); --changes) {
      const std::size_t place = random() % column.size();
      const auto byte = static_cast<char>(random());
      if (random() % 3 == 0)
        column.erase(place, 1 + random() % 20);
      else if (random() % 3 == 0)
        column.insert(place, 1, byte);
      else
        column[place] = byte;
    }
    const auto read = from_row(row);
    if (!read) continue;
    // The adapter is the row's own word: only its form can be wrong.
    EXPECT_EQ(Row(row.begin() + 1, row.end() - 1), Row(right.begin() + 1, right.end() - 1));
    EXPECT_EQ(read->decision, one.decision);
  }
}

TEST(Rows, OnlyMeasuredDecisionsTravel) {
  EXPECT_TRUE(is_shareable(shared(64)));
  EXPECT_FALSE(is_shareable(shared(64, 0)));
  EXPECT_FALSE(is_shareable(shared(64, 10, "a/b")));
  SharedDecision misplaced = shared(64);
  misplaced.key = testing::key(65);
  EXPECT_FALSE(is_shareable(misplaced));
}

TEST(Rows, ADecisionThatIsTooLargeStaysHere) {
  SharedDecision large = shared(64);
  large.decision.strategy.assign(70'000, 'x');
  EXPECT_THAT(to_row(large).error().message, HasSubstr("more than the 65536 that a row takes"));
}

TEST(Rows, AnyTextIsANumberOrNone) {
  EXPECT_EQ(to_number("18446744073709551615"), UINT64_MAX);
  for (const char* wrong : {"", "-1", "1 ", "18446744073709551616"}) {
    EXPECT_FALSE(to_number(wrong)) << wrong;
  }
}

// Applications read the file with their usual reader. A wrong row takes its own decision away, and
// no other.
TEST(Mirror, WritesAFileThatACacheReads) {
  const testing::TemporaryFolder folder;
  Mirror mirror;
  ASSERT_TRUE(mirror.take(*to_row(shared(64))));
  ASSERT_TRUE(mirror.take(*to_row(shared(65))));
  EXPECT_EQ(mirror.write(folder.path()), 1U);
  EXPECT_EQ(mirror.write(folder.path()), 0U);
  auto cache = DecisionCache::open(testing::fleet_cache(folder.path()));
  EXPECT_EQ(cache.size(), 2U);
  EXPECT_EQ(cache.entry(cache.find(testing::key(64))).layer, Layer::fleet);
  EXPECT_EQ(testing::mode_of(folder / "gpu.toml"), 0644U);

  Row wrong = *to_row(shared(64));
  wrong[3] = "11";
  EXPECT_THAT(mirror.take(wrong).error().message,
              HasSubstr("for gpu is skipped: its columns say something else"));
  wrong[0] = "../../etc/passwd";
  EXPECT_THAT(mirror.take(wrong).error().message, HasSubstr("its adapter is no name of a file"));
  EXPECT_EQ(mirror.rows(), 2U);
  EXPECT_EQ(mirror.write(folder.path()), 1U);
  EXPECT_EQ(DecisionCache::open(testing::fleet_cache(folder.path())).size(), 1U);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"gpu.toml"});
}

}  // namespace
}  // namespace vyre::agent
