// Chapters from journals, decisions and recordings.

#include "report/chapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/journal_chapter.h"
#include "report/recording_chapter.h"
#include "testing/landscapes.h"

namespace vyre::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Config block(std::int64_t value) { return {{"block", value}, {"order", std::string("row")}}; }

// What a journal of a small campaign has, with a clock that counts up.
class Scribe {
 public:
  explicit Scribe(std::string campaign = "name=twice default=5 strategy=natural seed=1 workers=2")
      : journal{std::move(campaign), {}} {}

  Scribe& known(std::uint64_t index) {
    return add(
        {Entry::known, {{Step::admit, index}, {.status = Status::timeout}, "slow"}, block(2)});
  }
  Scribe& begin(std::uint64_t index, Config config) {
    return add({Entry::begin, {{Step::admit, index}}, std::move(config)});
  }
  Scribe& admit(std::uint64_t index, Status status = Status::ok, std::string why = "") {
    return add(
        {Entry::admit,
         {{Step::admit, index}, {.status = status, .compile_seconds = 0.5}, std::move(why)}});
  }
  Scribe& sample(std::uint64_t index, std::vector<double> times, Step step = Step::sample) {
    for (const double ms : times) {
      add({entry_of(step), {{step, index}, {.time_ms = ms, .run_seconds = 0.25}}});
    }
    return *this;
  }

  ReadJournal journal;

 private:
  Scribe& add(JournalLine line) {
    line.answer.seconds = ++clock_;
    journal.lines.push_back(std::move(line));
    return *this;
  }
  double clock_ = 0;
};

const Entrant& entrant(const Chapter& chapter, std::uint64_t index) {
  return *std::ranges::find(chapter.entrants, index, &Entrant::index);
}

Scribe small_campaign() {
  Scribe out;
  out.known(2).begin(5, block(64)).begin(7, block(256)).admit(5).admit(7);
  out.sample(5, {4, 4, 4, 4}).sample(7, {1, 1, 1, 1});
  out.begin(3, block(32)).admit(3, Status::compile, "error: no such thing").begin(9, block(128));
  return out;
}

TEST(JournalChapter, TellsTheFateOfEveryConfiguration) {
  const Chapter chapter = chapter_of(small_campaign().journal, "x.jsonl");
  EXPECT_EQ(chapter.title, "twice");
  EXPECT_EQ(chapter.workers, 2);
  ASSERT_EQ(chapter.entrants.size(), 5U);
  EXPECT_EQ(entrant(chapter, 2).ending, Ending::shunned);
  EXPECT_EQ(entrant(chapter, 5).ending, Ending::dropped);
  EXPECT_TRUE(entrant(chapter, 5).is_default);
  EXPECT_EQ(entrant(chapter, 7).ending, Ending::chosen);
  EXPECT_EQ(entrant(chapter, 7).elapsed.ns, 1e6);
  EXPECT_EQ(entrant(chapter, 3).ending, Ending::failed);
  EXPECT_EQ(entrant(chapter, 3).status, Status::compile);
  EXPECT_EQ(entrant(chapter, 3).why, "error: no such thing");
  EXPECT_EQ(entrant(chapter, 9).ending, Ending::unanswered);
  EXPECT_EQ(entrant(chapter, 9).place, 0U);
  EXPECT_EQ(entrant(chapter, 5).place, 1U);
  EXPECT_EQ(entrant(chapter, 3).place, 3U);
  EXPECT_EQ(entrant(chapter, 7).at_seconds, 10) << "its first sample";
  EXPECT_EQ(default_ns(chapter), 4e6);
  EXPECT_EQ(chosen_ns(chapter), 1e6);
}

TEST(JournalChapter, HasTheParametersThatItNames) {
  const Chapter chapter = chapter_of(small_campaign().journal, "x.jsonl");
  ASSERT_EQ(chapter.parameters.size(), 2U);
  EXPECT_EQ(chapter.parameters[0].name, "block");
  EXPECT_THAT(chapter.parameters[0].values,
              ElementsAre(Value(std::int64_t{2}), Value(std::int64_t{32}), Value(std::int64_t{64}),
                          Value(std::int64_t{128}), Value(std::int64_t{256})));
  EXPECT_EQ(config_of(chapter, entrant(chapter, 7)), block(256));
}

TEST(JournalChapter, OfAnOlderVersionSaysThatItNamesNoValues) {
  Scribe old;
  old.begin(5, {}).admit(5).sample(5, {1, 1});
  const Chapter chapter = chapter_of(old.journal, "");
  EXPECT_THAT(chapter.parameters, IsEmpty());
  EXPECT_THAT(chapter.notes.front(), HasSubstr("of an older version"));
}

TEST(JournalChapter, AConfigurationWithOtherNamesHasNoValues) {
  Scribe odd;
  odd.begin(5, block(1)).begin(6, {{"other", true}}).admit(5).admit(6).sample(5, {1});
  const Chapter chapter = chapter_of(odd.journal, "");
  EXPECT_EQ(entrant(chapter, 5).point.size(), 2U);
  EXPECT_THAT(entrant(chapter, 6).point, IsEmpty());
}

TEST(JournalChapter, SharesOutTheTime) {
  const Chapter chapter = chapter_of(small_campaign().journal, "");
  ASSERT_EQ(chapter.time.size(), 3U);
  EXPECT_EQ(chapter.time[0].what, "compile and verify");
  EXPECT_EQ(chapter.time[0].seconds, 1.5);
  EXPECT_EQ(chapter.time[1].what, "samples of the search");
  EXPECT_EQ(chapter.time[1].seconds, 2);
  EXPECT_EQ(chapter.time[2].what, "search, waiting, rest");
  EXPECT_EQ(chapter.time[2].seconds, 2 * chapter.seconds - 3.5);
}

TEST(JournalChapter, TellsVerifyingAndSearchingWhereTheyAreRecorded) {
  ReadJournal journal = small_campaign().journal;
  for (JournalLine& line : journal.lines) {
    if (line.entry == Entry::admit) line.answer.result.verify_seconds = 0.125;
  }
  journal.search_seconds = 0.75;
  const Chapter chapter = chapter_of(journal, "");
  const std::vector<std::pair<std::string, double>> expected{
      {"compile", 3 * 0.375},
      {"verify", 3 * 0.125},
      {"samples of the search", 2},
      {"search", 0.75},
      {"waiting, rest", 2 * chapter.seconds - 4.25}};
  ASSERT_EQ(chapter.time.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(chapter.time[k].what, expected[k].first);
    EXPECT_EQ(chapter.time[k].seconds, expected[k].second) << expected[k].first;
  }
}

TEST(JournalChapter, OfAnEmptyJournalHasNothing) {
  const Chapter chapter = chapter_of(ReadJournal{"odd words", {}}, "");
  EXPECT_EQ(chapter.title, "a campaign without a name");
  EXPECT_THAT(chapter.entrants, IsEmpty());
  EXPECT_THAT(chapter.time, IsEmpty());
  EXPECT_FALSE(chapter.history);
  EXPECT_EQ(chosen_ns(chapter), 0);
}

// The winner of the race gave way to the default, beside which it was no faster.
TEST(JournalChapter, TheDecisionSaysWhoWasChosen) {
  Listed listed{.file = "f", .identity = {.device = "card"}};
  listed.decision = {.program = "twice", .config = block(64), .elapsed = {4e6, 4e6, 4e6}};
  const ReadJournal journal = small_campaign().journal;
  const Chapter chapter = chapter_of(listed, &journal, "x.jsonl");
  EXPECT_EQ(chapter.device, "card");
  EXPECT_EQ(entrant(chapter, 5).ending, Ending::chosen);
  EXPECT_EQ(entrant(chapter, 7).ending, Ending::racing);
  EXPECT_EQ(chosen_ns(chapter), 4e6);
  const Chapter alone = chapter_of(listed, nullptr, "");
  EXPECT_EQ(alone.title, "twice");
  EXPECT_THAT(alone.notes.front(), HasSubstr("The journal of this decision is gone"));
}

TEST(RecordingChapter, KeepsRowsAndFindsTheFastest) {
  const recording::Recording recording = testing::small_landscape();
  const Chapter chapter = chapter_of(recording, "small", "small.json");
  ASSERT_EQ(chapter.entrants.size(), recording.rows.size());
  EXPECT_EQ(std::ranges::count(chapter.entrants, Ending::fastest, &Entrant::ending), 1);
  for (const Entrant& e : chapter.entrants)
    EXPECT_GE(e.ending == Ending::failed ? 1e300 : e.elapsed.ns, chosen_ns(chapter));
  EXPECT_EQ(default_ns(chapter), 0);
  EXPECT_THAT(chapter.notes.back(), HasSubstr("does not say which configuration is the default"));
}

TEST(RecordingChapter, SaysWhatTheFileDoesNotRecord) {
  recording::Recording recording;
  recording.parameters = {{"a", {std::int64_t{1}, std::int64_t{2}}}};
  recording.rows = {{.point = {0}, .time_ms = 1}, {.point = {1}, .time_ms = 2}};
  EXPECT_EQ(chapter_of(recording, "n", "").notes.front(),
            "The file does not record what its measurements cost.");
  EXPECT_EQ(chapter_of(recording, "n", "").entrants[0].at_seconds, -1);
  recording.rows[0].run_ms = {1, 1};
  EXPECT_EQ(chapter_of(recording, "n", "").notes.front(),
            "The file records no other time than that of the runs.");
  recording.rows[1].compile_ms = 500;
  const Chapter both = chapter_of(recording, "n", "");
  EXPECT_EQ(both.time.size(), 2U);
  EXPECT_NEAR(both.entrants[1].at_seconds, 0.502, 1e-9);
}

TEST(RecordingChapter, OfNothingAndOfFailuresHasNoFastest) {
  EXPECT_EQ(chosen_of(chapter_of(recording::Recording{}, "n", "")), nullptr);
  recording::Recording failed;
  failed.parameters = {{"a", {std::int64_t{1}}}};
  failed.rows = {{.point = {0}, .status = Status::runtime}};
  EXPECT_EQ(chosen_of(chapter_of(failed, "n", "")), nullptr);
}

}  // namespace
}  // namespace vyre::report
