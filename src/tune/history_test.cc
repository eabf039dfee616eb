#include "tune/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "testing/landscapes.h"
#include "testing/temporary_folder.h"
#include "tune/campaign.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

// The race, run again on the journal alone, goes the same way.
TEST(History, TellsWhomTheRaceDroppedWhen) {
  const testing::TemporaryFolder folder;
  for (const char* strategy : {"natural", "random", "exhaustive"}) {
    Replay device = *Replay::make(testing::small_landscape());
    const SearchTask task{
        .name = "small", .identity = "recorded", .space = device.space(), .default_index = 3};
    const CampaignOptions options{.strategy = strategy,
                                  .budget = {.seconds = 0, .evaluations = 60},
                                  .journal = folder / "journal.jsonl"};
    const auto report = run_campaign(task, device, options);
    ASSERT_TRUE(report) << report.error().message;
    auto journal = read_journal(options.journal);
    ASSERT_TRUE(journal) << journal.error().message;
    const auto history = history_of(*std::move(journal));
    ASSERT_TRUE(history) << history.error().message;
    EXPECT_EQ(word_of(history->campaign, "strategy"), strategy);
    EXPECT_EQ(word_of(history->campaign, "none"), "");
    EXPECT_EQ(history->default_index, task.default_index);
    EXPECT_EQ(history->failures.size(), report->failures.size());
    EXPECT_EQ(history->outcome->winner, report->outcome.winner);
    EXPECT_EQ(history->outcome->samples, history->samples.size());
    ASSERT_EQ(history->standings.size(), report->standings.size());
    ASSERT_EQ(history->entered.size(), report->standings.size());
    for (std::size_t k = 0; k < history->standings.size(); ++k) {
      const Standing& told = history->standings[k];
      EXPECT_EQ(told.fate, report->standings[k].fate);
      EXPECT_EQ(told.left_at, report->standings[k].left_at);
      EXPECT_EQ(told.samples_ns, report->standings[k].samples_ns);
      EXPECT_EQ(told.elapsed, report->standings[k].elapsed);
      EXPECT_EQ(told.left_at > history->entered[k], told.fate == Fate::dropped);
    }
  }
}

TEST(History, NeedsAJournalWithSamples) {
  const testing::TemporaryFolder folder;
  for (const char* text :
       {"", "garbage\n", "{\"schema\":0,\"campaign\":\"x\"}\n", "{\"schema\":3,\"campaign\":3}\n",
        "{\"schema\":3,\"campaign\":\"x\"}"}) {
    std::ofstream(folder / "x.jsonl") << text;
    const auto journal = read_journal(folder / "x.jsonl");
    ASSERT_FALSE(journal) << text;
    EXPECT_THAT(journal.error().message, HasSubstr("x.jsonl\" is no journal of a campaign"));
  }
  std::ofstream(folder / "x.jsonl") << "{\"schema\":3,\"campaign\":\"x\"}\n{\"n\":0,";
  auto journal = read_journal(folder / "x.jsonl");
  ASSERT_TRUE(journal);
  EXPECT_EQ(history_of(*std::move(journal)).error().message,
            "the journal of \"x\" has no samples yet; let the campaign run");
}

}  // namespace
}  // namespace vyre
