// Tuning little by little, and decisions that are checked again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "runtime/time_share.h"
#include "testing/temporary_folder.h"
#include "testing/tuning_fixture.h"
#include "tune/wary_evaluator.h"

namespace vyre {
namespace {

using testing::busy_config;
using testing::busy_program;
using testing::free_program;
using ::testing::HasSubstr;
using testing::kAll;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using Fixture = testing::TuningFixture;
using Words = std::vector<std::uint32_t>;

TEST(Online, DecidesStepByStep) {
  Fixture f({.mode = Mode::natural, .online = testing::kEveryLaunch});
  f.declare_busy();
  int launches = 0;
  while (f.count(EventKind::tuned) == 0 && launches < 5000) {
    EXPECT_EQ(f.launch(busy_program(), 300), testing::busy_result(300));
    ++launches;
  }
  EXPECT_GT(launches, 10);  // more than one step per launch there is not
  ASSERT_EQ(f.events.size(), 1U);
  EXPECT_THAT(f.events[0].message, HasSubstr("8 configurations tried"));
  EXPECT_LT(f.decided_work(300), 512);
}

TEST(Online, GoesOnWhereAnEarlierStartHasStopped) {
  const TemporaryFolder folder;
  const RuntimeOptions options{
      .mode = Mode::natural, .online = testing::kEveryLaunch, .files = {.folder = folder.path()}};
  std::string message;
  for (int start = 0; start < 200 && message.empty(); ++start) {
    Fixture f(options);
    f.declare_busy();
    for (int k = 0; k < 20; ++k) f.launch(busy_program(), 300);
    for (const Event& event : f.events) message = event.message;
  }
  EXPECT_THAT(message, HasSubstr("8 configurations tried"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr(" 0 of them before")));
}

TEST(Online, KeysThatAreNoLongerLaunchedMakeRoom) {
  Fixture f({.mode = Mode::natural, .online = testing::kEveryLaunch});
  f.declare_busy();
  for (std::size_t n = 100; n < 120; ++n) {
    for (int k = 0; k < 3; ++k) f.launch(busy_program(), n);
  }
  EXPECT_EQ(f.count(EventKind::tuned), 0U);
  for (int k = 0; k < 20'000 && f.count(EventKind::tuned) == 0; ++k) f.launch(busy_program(), 300);
  EXPECT_EQ(f.resolve(busy_program(), {300, 300}).source, Source::decision);
}

// What a process leaves behind that ends while it tries a configuration.
Status admitted(Evaluator& evaluator, std::uint64_t index) {
  const auto answer = answer_of(evaluator, {Step::admit, index});
  EXPECT_TRUE(answer) << answer.error().message;
  return answer->result.status;
}
void die_while_trying(WaryEvaluator& wary, const std::filesystem::path& note, std::uint64_t index) {
  EXPECT_EQ(admitted(wary, index), Status::ok);
  std::filesystem::copy_file(note, note.string() + ".kept");
}
void start_again(const std::filesystem::path& note) {
  EXPECT_FALSE(std::filesystem::exists(note));
  std::filesystem::rename(note.string() + ".kept", note);
}

class Willing final : public Evaluator {
  Expected<void> start(const Work& work) override {
    work_ = work;
    return {};
  }
  Expected<std::optional<Answer>> next(double) override {
    return Answer{.work = work_, .result = {.time_ms = 1}};
  }
  void give_up() override {}
  double now_seconds() const override { return 0; }

  Work work_;
};

TEST(WaryEvaluator, WhatTwoProcessesHaveDiedOfIsNotTriedAgain) {
  const TemporaryFolder folder;
  const auto note = folder / "note";
  for (int death = 0; death < 2; ++death) {
    {
      WaryEvaluator wary(std::make_unique<Willing>(), note, 0);
      EXPECT_EQ(admitted(wary, 0), Status::ok);
      die_while_trying(wary, note, 3);
    }
    start_again(note);
  }
  WaryEvaluator wary(std::make_unique<Willing>(), note, 0);
  EXPECT_EQ(admitted(wary, 3), Status::runtime);
  EXPECT_EQ(admitted(wary, 4), Status::ok);
}

TEST(WaryEvaluator, WhatTheApplicationRunsItselfIsTrusted) {
  const TemporaryFolder folder;
  const auto note = folder / "note";
  std::ofstream(note) << "3 7\n";
  WaryEvaluator wary(std::make_unique<Willing>(), note, 3);
  EXPECT_EQ(admitted(wary, 3), Status::ok);
}

TEST(Online, AShareIsExceededByOneStepAtMost) {
  using std::chrono::milliseconds;
  TimeShare share(0.05);
  EXPECT_FALSE(share.allows());
  share.earn(milliseconds(100));
  EXPECT_TRUE(share.allows());
  share.spend(milliseconds(50));  // ten times as much as there was
  EXPECT_FALSE(share.allows());
  share.earn(milliseconds(900));
  EXPECT_FALSE(share.allows());
  share.earn(milliseconds(1));
  EXPECT_TRUE(share.allows());
}

TEST(Recheck, WhatNoLongerHoldsIsDemoted) {
  for (const Config& bad : {busy_config(1 << 13, 16), busy_config(512, 1 << 20)}) {
    Fixture off({});
    off.decide_busy(200, bad);
    const auto result = off.recheck(busy_program(), 200);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_FALSE(result->holds);
    ASSERT_EQ(off.events.size(), 1U);
    EXPECT_EQ(off.events[0].kind, EventKind::demoted);
    EXPECT_THAT(
        off.events[0].message,
        StartsWith("\"busy\": what was decided no longer holds, and the default is used: "));
    EXPECT_EQ(off.decision(busy_program(), {200, 200}).config, busy_config(512, 16));
    EXPECT_EQ(off.launch(busy_program(), 200), testing::busy_result(200));
    EXPECT_TRUE(off.recheck(busy_program(), 200)->holds);
  }
}

TEST(Recheck, ADemotedKeyIsTunedAnew) {
  Fixture f({.mode = Mode::natural, .miss_budget = kAll});
  const auto space = space::Space::build(
      {.parameters = {{"work", {1, 512, 8192}}, {"block", {16}}}, .constraints = {}});
  ASSERT_TRUE(f.runtime.declare(busy_program(), {.space = *space}));
  f.launch(busy_program(), 200);
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
  EXPECT_TRUE(f.recheck(busy_program(), 200)->holds);
  Decision slow = f.decision(busy_program(), {200, 200});
  slow.config = busy_config(8192, 16);
  slow.samples += 1000;
  f.runtime.cache().offer(key_of(busy_program().fingerprint(), slow.shape), slow);
  EXPECT_FALSE(f.recheck(busy_program(), 200)->holds);
  EXPECT_EQ(f.launch(busy_program(), 200), testing::busy_result(200));
  EXPECT_EQ(f.count(EventKind::tuned), 2U);
  EXPECT_LE(f.decided_work(200), 512);
}

TEST(Recheck, AWorkgroupSizeIsRecheckedToo) {
  Fixture f({.mode = Mode::on, .miss_budget = kAll});
  f.launch(free_program(), 1000);
  const auto result = f.recheck(free_program(), 1000);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(f.count(EventKind::demoted), result->holds ? 0U : 1U);
}

TEST(Recheck, SaysWhatItCannotDo) {
  Fixture f({});
  EXPECT_EQ(f.recheck(busy_program(), 10).error().message,
            "\"busy\": nothing is decided for this shape; tune it first");
  f.decide_busy(10, {{"gone", 1}});
  EXPECT_EQ(f.recheck(busy_program(), 10).error().message,
            "\"busy\": nothing in the decision (gone=1) can be chosen for it; tune it anew");
  const Words x = testing::words(10);
  const std::vector<Input> inputs{as_input(x)};
  EXPECT_EQ(f.runtime.recheck(busy_program(), {.inputs = inputs, .grid = Extent{1, 1, 1}})
                .error()
                .message,
            "\"busy\": calls with a grid of their own are not tuned; leave it out");
}

}  // namespace
}  // namespace vyre
