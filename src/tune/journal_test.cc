#include "tune/journal.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/files/whole_file.h"
#include "testing/temporary_folder.h"
#include "tune/journal_file.h"
#include "tune/quarantine.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

const std::string kHeader = "{\"schema\":3,\"campaign\":\"c\"}\n";
const std::string kSample =
    R"({"n":0,"event":"sample","index":4,"at":0.5,"status":"correct","compile_s":0,"run_s":0.1,"ms":0.9})"
    "\n";

std::size_t lines_of(const fs::path& file, const std::string& line) {
  fs::remove(file);
  std::ofstream(file, std::ios::binary) << kHeader << line;
  const auto journal = read_journal(file);
  EXPECT_TRUE(journal) << journal.error().message;
  return journal ? journal->lines.size() : 99;
}

TEST(Journal, ALineWithAValueThatCannotBeIsDropped) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(lines_of(folder / "j", kSample), 1U);
  for (const auto& [part, wrong] :
       std::vector<std::pair<std::string, std::string>>{{"\"ms\":0.9", "\"ms\":0"},
                                                        {"\"ms\":0.9", "\"ms\":-5"},
                                                        {"\"ms\":0.9", "\"ms\":1e308"},
                                                        {"\"ms\":0.9", "\"ms\":\"0.9\""},
                                                        {"\"at\":0.5", "\"at\":-1"},
                                                        {"\"at\":0.5", "\"at\":1e300"},
                                                        {"\"run_s\":0.1", "\"run_s\":1e300"},
                                                        {"\"compile_s\":0", "\"compile_s\":-0.1"},
                                                        {"\"index\":4", "\"index\":-4"},
                                                        {"\"index\":4", "\"index\":4.5"},
                                                        {"\"correct\"", "\"splendid\""},
                                                        {"\"n\":0", "\"n\":1"}}) {
    std::string line = kSample;
    line.replace(line.find(part), part.size(), wrong);
    EXPECT_EQ(lines_of(folder / "j", line), 0U) << line;
  }
}

TEST(Journal, KeepsWhatVerifyingTookAndWhen) {
  const testing::TemporaryFolder folder;
  {
    auto journal = Journal::open(folder / "j", "c");
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->append({.answer = {.result = {.compile_seconds = 2, .verify_seconds = 0.5},
                                            .unix_ms = 1'763'000'000'042}}));
  }
  const auto journal = read_journal(folder / "j");
  ASSERT_TRUE(journal && journal->lines.size() == 1);
  EXPECT_EQ(journal->lines[0].answer.result.verify_seconds, 0.5);
  EXPECT_EQ(journal->lines[0].answer.unix_ms, 1'763'000'000'042);
  for (const char* wrong : {"\"verify_s\":-1", "\"unix_ms\":-1", "\"unix_ms\":\"now\""}) {
    std::string line = kSample;
    line.replace(line.find("\"run_s\""), 0, std::string(wrong) + ",");
    EXPECT_EQ(lines_of(folder / "j", line), 0U) << line;
  }
}

TEST(Journal, KeepsWhichClockToldATime) {
  const testing::TemporaryFolder folder;
  {
    auto journal = Journal::open(folder / "j", "c");
    ASSERT_TRUE(journal) << journal.error().message;
    for (const bool is_host_time : {true, false}) {
      ASSERT_TRUE(
          journal->append({.entry = Entry::pair,
                           .answer = {.work = {Step::pair, 4},
                                      .result = {.time_ms = 2, .is_host_time = is_host_time}}}));
    }
  }
  const auto read = read_journal(folder / "j");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->lines.size(), 2U);
  EXPECT_TRUE(read->lines[0].answer.result.is_host_time);
  EXPECT_FALSE(read->lines[1].answer.result.is_host_time);
}

TEST(Journal, NamesTheValuesOfAConfiguration) {
  const testing::TemporaryFolder folder;
  const Config config{{"block", std::int64_t{64}}, {"order", std::string("row")}, {"pad", true}};
  {
    auto journal = Journal::open(folder / "j", "c");
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->append(
        {.entry = Entry::begin, .answer = {.work = {.index = 4}}, .config = config}));
  }
  const auto read = read_journal(folder / "j");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->lines.size(), 1U);
  EXPECT_EQ(read->lines[0].config, config);
  const std::string begin = R"({"n":0,"event":"begin","index":4,"at":0})";
  EXPECT_EQ(lines_of(folder / "j", begin + "\n"), 1U) << "an older version's";
  for (const char* wrong : {R"("block")", "[64]", R"({"block":null})", R"({"block":{"x":1}})"}) {
    const std::string line = begin.substr(0, begin.size() - 1) + ",\"config\":" + wrong + "}\n";
    EXPECT_EQ(lines_of(folder / "j", line), 0U) << line;
  }
}

TEST(Journal, IsTheOwnersAndNoLink) {
  const testing::TemporaryFolder folder;
  {
    auto journal = Journal::open(folder / "journals/j", "c");
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->append({.entry = Entry::begin, .answer = {.work = {.index = 4}}}));
  }
  struct stat info{};
  ASSERT_EQ(::stat((folder / "journals/j").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat((folder / "journals").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);

  ASSERT_TRUE(write_file_atomically(folder / "precious", "text"));
  fs::create_symlink(folder / "precious", folder / "link");
  const auto linked = Journal::open(folder / "link", "c");
  ASSERT_FALSE(linked);
  EXPECT_EQ(linked.error().message,
            "cannot write the journal \"" + (folder / "link").string() +
                "\": Too many levels of symbolic links; choose another place");
  EXPECT_FALSE(JournalFile::take(folder / "link"));
  EXPECT_EQ(read_file(folder / "precious", 10), "text");
}

TEST(Journal, GoesOnWhereItEnded) {
  const testing::TemporaryFolder folder;
  const JournalLine begin{.entry = Entry::begin, .answer = {.work = {.index = 4}}};
  for (std::size_t round = 0; round < 3; ++round) {
    auto journal = Journal::open(folder / "j", "c");
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->lines().size(), round);
    ASSERT_TRUE(journal->append(begin));
    std::ofstream(folder / "j", std::ios::app) << "{\"torn";
  }
  auto journal = Journal::open(folder / "j", "c");
  ASSERT_TRUE(journal->cut(1));
  EXPECT_EQ(read_journal(folder / "j")->lines.size(), 1U);
  ASSERT_TRUE(journal->append(begin));
  EXPECT_EQ(read_journal(folder / "j")->lines.size(), 2U);
  ASSERT_TRUE(Journal::open(folder / "j", "another"));
  EXPECT_TRUE(read_journal(folder / "j")->lines.empty());
}

// None of them waits for a writer at the other end.
TEST(Journal, PipesInPlaceOfOurFilesAreErrors) {
  const testing::TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(Journal::open(pipe, "c"));
  EXPECT_FALSE(read_journal(pipe));
  const auto taken = JournalFile::take(pipe);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message,
            "cannot write the journal \"" + pipe.string() +
                "\": it is no ordinary file; move it away; check the folder");
  const auto quarantine = Quarantine::open(pipe, {});
  ASSERT_FALSE(quarantine);
  EXPECT_EQ(quarantine.error().message,
            "cannot read \"" + pipe.string() + "\": it is no ordinary file; choose another");
}

}  // namespace
}  // namespace vyre
