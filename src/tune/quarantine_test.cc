// What the quarantine holds, and for how long.

#include "tune/quarantine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>

#include "testing/temporary_folder.h"
#include "testing/tuned_programs.h"
#include "tune/exceeded_limit.h"
#include "tune/suspect.h"

namespace vyre {
namespace {

using testing::three_configurations;

TEST(Quarantine, RemembersByProgramConfigurationAndIdentity) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "deep" / "q.jsonl";
  const Problem problem = three_configurations();
  const Identity here{.device = "here"};
  auto quarantine = Quarantine::open(file, {});
  ASSERT_TRUE(quarantine) << quarantine.error().message;
  EXPECT_TRUE(quarantine->of(problem, here).empty());
  ASSERT_TRUE(quarantine->add(problem, here, std::vector<Failure>{{1, Status::timeout}}));
  ASSERT_TRUE(quarantine->add(problem, here, std::vector<Failure>{{1, Status::timeout}}));
  std::ofstream(file, std::ios::app) << "torn {\n[]\n{\"config\": 3}\n{\"program\": \"x";
  const auto read = Quarantine::open(file, {});
  ASSERT_TRUE(read) << read.error().message;
  const auto known = read->of(problem, here);
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].index, 1U);
  EXPECT_EQ(known[0].status, Status::timeout);
  EXPECT_TRUE(read->of(problem, {.device = "elsewhere"}).empty());
  auto blocked = Quarantine::open(file / "x", {});
  ASSERT_TRUE(blocked);
  EXPECT_FALSE(blocked->add(problem, here, std::vector<Failure>{{1, Status::timeout}}));
}

// Machines are lost for many reasons.
TEST(Quarantine, LeavesOutWhatIsOnlySuspect) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "q.jsonl";
  const Problem problem = three_configurations();
  auto quarantine = Quarantine::open(file, {});
  ASSERT_TRUE(quarantine) << quarantine.error().message;
  const std::vector<Failure> failures{{1, Status::runtime, suspect_of("node 1 (a)", "node 2 (b)")},
                                      {2, Status::runtime, "it crashed (signal 11)"}};
  EXPECT_EQ(failures[0].why, "suspect: node 1 (a) and node 2 (b) were lost while they tried it");
  ASSERT_TRUE(quarantine->add(problem, {}, failures));
  const auto known = Quarantine::open(file, {})->of(problem, {});
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].index, 2U);
}

TEST(Quarantine, SaysWhichLimitWasExceeded) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "q.jsonl";
  const Problem problem = three_configurations();
  const Identity here{.device = "here"};
  auto quarantine = Quarantine::open(file, {});
  const std::vector<Failure> failures{{0, Status::timeout, "a run took more than 10 s"},
                                      {1, Status::compile, "not UTF-8: \xff"},
                                      {2, Status::runtime}};
  ASSERT_TRUE(quarantine && quarantine->add(problem, here, failures));
  const auto read = Quarantine::open(file, {});
  ASSERT_TRUE(read) << read.error().message;
  const auto known = read->of(problem, here);
  ASSERT_EQ(known.size(), 3U);
  EXPECT_EQ(known[0].why, "a run took more than 10 s");
  EXPECT_EQ(known[1].why.substr(0, 11), "not UTF-8: ");
  EXPECT_EQ(known[2].why, "");
}

// The largest buffer was part of the identity once: such lines are of another device now.
TEST(Quarantine, LinesOfAnEarlierIdentityNoLongerCount) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "q.jsonl";
  const Problem problem = three_configurations();
  const Identity now = identity_of(open_reference()->info());
  Identity before = now;
  before.limits.insert(before.limits.begin() + 4, std::int64_t{2} << 30U);
  auto quarantine = Quarantine::open(file, {});
  ASSERT_TRUE(quarantine &&
              quarantine->add(problem, before, std::vector<Failure>{{1, Status::timeout}}));
  EXPECT_TRUE(Quarantine::open(file, {})->of(problem, now).empty());
}

TEST(Quarantine, AnEntryNoLongerHoldsOnceItsLimitIsRaised) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "q.jsonl";
  const Problem problem = three_configurations();
  const Identity here{.device = "here"};
  const auto open = [&](double build, double run) {
    const auto ms = [](double s) { return std::chrono::milliseconds(std::llround(1000 * s)); };
    auto quarantine =
        Quarantine::open(file, {.build_limit = ms(build), .run_limit = ms(run), .now = 1'000'000});
    EXPECT_TRUE(quarantine) << quarantine.error().message;
    return *quarantine;
  };
  const auto held = [&](double build, double run) {
    std::vector<std::uint64_t> out;
    for (const Failure& failure : open(build, run).of(problem, here)) out.push_back(failure.index);
    return out;
  };
  const std::vector<Failure> failures{
      {0, Status::timeout, to_string(ExceededLimit{ExceededLimit::Kind::run, 2.5})},
      {1, Status::timeout, to_string(ExceededLimit{ExceededLimit::Kind::build, 120})},
      {2, Status::timeout, "a run took more than it should"}};
  ASSERT_TRUE(open(120, 2.5).add(problem, here, failures));
  EXPECT_EQ(held(120, 2.5), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(held(5, 1), (std::vector<std::uint64_t>{0, 1, 2})) << "lower limits help nobody";
  EXPECT_EQ(held(120, 2.6), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(held(121, 2.5), (std::vector<std::uint64_t>{0, 2}));
  // It fails again, under the raised limit: that one is what counts from now on.
  const std::vector<Failure> later{
      {0, Status::timeout, to_string(ExceededLimit{ExceededLimit::Kind::run, 10})}};
  ASSERT_TRUE(open(120, 10).add(problem, here, later));
  EXPECT_EQ(held(120, 10), (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(held(120, 11), (std::vector<std::uint64_t>{1, 2}));
}

// The machine may have been to blame: only a wrong output is for good.
TEST(Quarantine, EntriesAgeUnlessTheOutputWasWrong) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "q.jsonl";
  const Problem problem = three_configurations();
  const Identity here{.device = "here"};
  const auto on_day = [&](std::int64_t day) {
    auto quarantine = Quarantine::open(file, {.now = day * 86'400 + 7});
    EXPECT_TRUE(quarantine) << quarantine.error().message;
    return *quarantine;
  };
  const std::vector<Failure> failures{{0, Status::runtime, "it crashed (signal 11)"},
                                      {1, Status::correctness, "y[0] is 1, not 2"}};
  ASSERT_TRUE(on_day(20'000).add(problem, here, failures));
  EXPECT_EQ(on_day(20'000).of(problem, here).size(), 2U);
  ASSERT_EQ(on_day(20'001).of(problem, here).size(), 1U);
  EXPECT_EQ(on_day(20'001).of(problem, here)[0].status, Status::correctness);
  EXPECT_EQ(on_day(99'999).of(problem, here).size(), 1U);
  // Each failure on a later day holds twice as long.
  ASSERT_TRUE(on_day(20'001).add(problem, here, failures));
  EXPECT_EQ(on_day(20'002).of(problem, here).size(), 2U);
  EXPECT_EQ(on_day(20'003).of(problem, here).size(), 1U);
  for (std::int64_t day = 20'003; day < 20'400; ++day) {
    ASSERT_TRUE(on_day(day).add(problem, here, failures));
  }
  EXPECT_EQ(on_day(20'400).of(problem, here).size(), 2U);
  EXPECT_EQ(on_day(20'432).of(problem, here).size(), 1U);
  // A clock that goes wrong holds nothing for long.
  EXPECT_EQ(on_day(10).of(problem, here).size(), 1U);
}

TEST(Quarantine, LinesOfEarlierVersionsAreTriedOnceMore) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "q.jsonl";
  const Problem problem = three_configurations();
  const Identity here{.device = "here"};
  auto quarantine = Quarantine::open(file, {});
  ASSERT_TRUE(quarantine &&
              quarantine->add(problem, here, std::vector<Failure>{{1, Status::runtime}}));
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string before = std::regex_replace(text.str(), std::regex(",\"at\":0"), "");
  ASSERT_NE(before, text.str());
  std::ofstream(file) << before;
  EXPECT_TRUE(Quarantine::open(file, {.now = 20'000 * 86'400})->of(problem, here).empty());
}

TEST(ExceededLimit, IsReadAsItIsWritten) {
  for (const double seconds : {0.001, 0.5, 3.0, 10.0, 120.0, 86'400.0, 1e6}) {
    for (const auto kind : {ExceededLimit::Kind::build, ExceededLimit::Kind::run}) {
      const auto read = exceeded_limit_in(to_string(ExceededLimit{kind, seconds}));
      ASSERT_TRUE(read);
      EXPECT_EQ(read->kind, kind);
      EXPECT_DOUBLE_EQ(read->seconds, seconds);
    }
  }
  EXPECT_EQ(to_string(ExceededLimit{ExceededLimit::Kind::run, 10}), "a run took more than 10 s");
  for (const char* other : {"", "it crashed (signal 11)", "a run took more than ",
                            "a run took more than 10 years", "compiling took more than x s"}) {
    EXPECT_FALSE(exceeded_limit_in(other)) << other;
  }
}

}  // namespace
}  // namespace vyre
