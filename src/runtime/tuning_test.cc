// Launches that tune on a miss: what they promise and what they survive.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "testing/journals.h"
#include "testing/temporary_folder.h"
#include "testing/tuning_fixture.h"

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
using testing::wrong_program;
using Words = std::vector<std::uint32_t>;

TEST(Tuning, AMissIsTunedOnceAndServedFromThenOn) {
  for (const Mode mode : {Mode::on, Mode::natural}) {
    Fixture f({.mode = mode, .miss_budget = kAll});
    f.declare_busy();
    EXPECT_EQ(f.launch(busy_program(), 200), testing::busy_result(200));
    ASSERT_EQ(f.events.size(), 1U);
    EXPECT_EQ(f.events[0].kind, EventKind::tuned);
    EXPECT_THAT(f.events[0].message, StartsWith("\"busy\": tuned in "));
    EXPECT_THAT(f.events[0].message, HasSubstr("8 configurations tried, 0 of them before"));
    EXPECT_EQ(f.resolve(busy_program(), {200, 200}).source, Source::decision);
    const Decision decision = f.decision(busy_program(), {200, 200});
    EXPECT_EQ(decision.program, "busy");
    EXPECT_EQ(decision.shape, (std::vector<std::uint64_t>{200, 200}));
    EXPECT_LT(f.decided_work(200), 512);
    EXPECT_TRUE(decision.verified);
    EXPECT_GT(decision.samples, 0U);
    EXPECT_EQ(decision.strategy, mode == Mode::on ? "sweep" : "natural");
    EXPECT_EQ(f.launch(busy_program(), 200), testing::busy_result(200));
    EXPECT_EQ(f.events.size(), 1U);
  }
}

TEST(Tuning, TheWorkgroupSizeOfAFreeProgramNeedsNoDeclaration) {
  Fixture f({.mode = Mode::on, .miss_budget = kAll, .feedback = Feedback::gather});
  EXPECT_EQ(f.launch(free_program(), 3000), testing::free_result(3000));
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
  const Decision decision = f.decision(free_program(), {3000, 3000, 3000});
  const auto size = workgroup_of(decision.config);
  ASSERT_TRUE(size);
  EXPECT_EQ(f.resolve(free_program(), {3000, 3000, 3000}).source, Source::decision);
  EXPECT_EQ(f.launch(free_program(), 3000), testing::free_result(3000));
  EXPECT_EQ(f.runtime.feedback(free_program())->observed_workgroup_size_x, (*size)[0]);
  // A grid of the caller's is not in the key, so such a call is not tuned.
  f.launch(free_program(), 100, {.grid = Extent{2, 1, 1}});
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
}

// Launches of every kind and size, over and over, until all are tuned or it has been long enough.
void expect_same_outputs(Fixture& f) {
  for (int round = 0; round < 30000 && (round < 5 || f.count(EventKind::tuned) < 6); ++round) {
    for (const std::size_t n : {1U, 63U, 500U}) {
      ASSERT_EQ(f.launch(busy_program(), n), testing::busy_result(n));
      ASSERT_EQ(f.launch(free_program(), n), testing::free_result(n));
    }
    if (f.runtime.mode() == Mode::off && round == 5) return;
  }
}

TEST(Tuning, OutputsAreTheSameInEveryMode) {
  for (const Mode mode : {Mode::off, Mode::on, Mode::natural}) {
    for (const int kind : {0, 1, 2, 3}) {
      RuntimeOptions options{.mode = mode, .miss_budget = kAll};
      if (kind % 2 == 1) options.online = testing::kEveryLaunch;
      Fixture f(options);
      f.is_on_device = kind >= 2;
      f.declare_busy();
      expect_same_outputs(f);
      EXPECT_EQ(f.count(EventKind::not_tuned), 0U);
      EXPECT_EQ(f.count(EventKind::tuned), mode == Mode::off ? 0U : 6U);
    }
  }
}

TEST(Tuning, FastButWrongNeverWins) {
  Fixture f({.mode = Mode::natural, .miss_budget = kAll});
  const auto space = space::Space::build({.parameters = {{"tile", {0, 1, 2}}}, .constraints = {}});
  ASSERT_TRUE(f.runtime.declare(wrong_program(), {.space = *space}));
  Words expected = testing::words(50);
  for (std::uint32_t& word : expected) ++word;
  EXPECT_EQ(f.launch(wrong_program(), 50), expected);
  EXPECT_EQ(f.launch(wrong_program(), 50), expected);
  EXPECT_EQ(f.decision(wrong_program(), {50, 50, 50}).config, (Config{{"tile", 1}}));
}

TEST(Tuning, TheSecondStartIsServedFromTheCache) {
  const TemporaryFolder folder;
  const RuntimeOptions options{
      .mode = Mode::natural, .miss_budget = kAll, .files = {.folder = folder.path()}};
  Config config;
  {
    Fixture first(options);
    first.declare_busy();
    first.launch(busy_program(), 100);
    EXPECT_EQ(first.count(EventKind::tuned), 1U);
    config = first.decision(busy_program(), {100, 100}).config;
  }
  EXPECT_TRUE(testing::all_are_finished(folder / "journals"));
  Fixture second(options);
  second.declare_busy();
  EXPECT_EQ(second.launch(busy_program(), 100), testing::busy_result(100));
  EXPECT_TRUE(second.events.empty());
  EXPECT_EQ(second.decision(busy_program(), {100, 100}).config, config);
}

TEST(Tuning, InputsMayLieInTheOutputs) {
  Fixture f({.mode = Mode::on, .miss_budget = kAll});
  f.declare_busy();
  const Words x = testing::words(100);
  Outputs outputs(1);
  const Input bytes = as_input(x);
  outputs[0].assign(bytes.begin(), bytes.end());
  const std::vector<Input> inputs{outputs[0]};
  ASSERT_TRUE(f.runtime.launch(busy_program(), {.inputs = inputs}, outputs));
  EXPECT_EQ(values_of<std::uint32_t>(outputs[0]), testing::busy_result(100));
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
}

TEST(Tuning, ARefusedConfigurationIsTunedAnewAndGivesWay) {
  const TemporaryFolder folder;
  const RuntimeOptions options{
      .mode = Mode::on, .miss_budget = kAll, .files = {.folder = folder.path()}};
  {
    Fixture f(options);
    f.declare_busy();
    f.decide_busy(100, busy_config(1, 1 << 20));
    ASSERT_TRUE(f.runtime.cache().save());
  }
  Fixture f(options);
  f.declare_busy();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(f.launch(busy_program(), 100), testing::busy_result(100));
  }
  EXPECT_EQ(f.count(EventKind::fallback), 1U);
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
  EXPECT_LT(f.decision(busy_program(), {100, 100}).samples, 1000U);
  Fixture again(options);
  again.declare_busy();
  EXPECT_EQ(again.launch(busy_program(), 100), testing::busy_result(100));
  EXPECT_TRUE(again.events.empty());
  EXPECT_EQ(again.resolve(busy_program(), {100, 100}).source, Source::decision);
}

TEST(Tuning, ARefusedSeedDoesNotDisturbTheTrial) {
  Fixture f({.mode = Mode::on, .miss_budget = kAll});
  f.declare_busy();
  const std::vector<std::uint64_t> shape{100, 100};
  f.runtime.cache().offer(key_of(busy_program().fingerprint(), shape),
                          {.fingerprint = busy_program().fingerprint(),
                           .shape = shape,
                           .config = busy_config(1, 1 << 20),
                           .samples = 9},
                          {.backend = "reference", .driver = "older"});
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(f.launch(busy_program(), 100), testing::busy_result(100));
  }
  EXPECT_EQ(f.count(EventKind::seed_used), 1U);
  EXPECT_EQ(f.count(EventKind::fallback), 1U);
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
  EXPECT_EQ(f.resolve(busy_program(), shape).source, Source::decision);
}

TEST(Tuning, OffNeverTunesAndNeverWrites) {
  const TemporaryFolder folder;
  Fixture f({.online = Online{}, .files = {.folder = folder.path()}});
  f.declare_busy();
  for (int k = 0; k < 5; ++k) f.launch(busy_program(), 100);
  EXPECT_TRUE(f.events.empty());
  EXPECT_TRUE(folder.names().empty());
}

TEST(Tuning, OptionsThatAllowNothingAreAnEvent) {
  const auto message = [](RuntimeOptions options) {
    options.mode = Mode::natural;
    Fixture f(std::move(options));
    f.declare_busy();
    f.launch(busy_program(), 10);
    f.launch(busy_program(), 10);
    EXPECT_EQ(f.events.size(), 1U);
    EXPECT_EQ(f.events.at(0).kind, EventKind::not_tuned);
    return f.events.at(0).message;
  };
  EXPECT_EQ(message({.miss_budget = {.seconds = 0}}),
            "tuning on a miss with an empty budget: nothing is tuned; give seconds or evaluations");
  EXPECT_EQ(message({.online = Online{.share = 0}}),
            "online tuning with a share of 0: nothing is tuned; choose one above 0, at most 1");
  EXPECT_THAT(message({.online = Online{.share = 1.5}}), HasSubstr("share of 1.5"));
  EXPECT_EQ(message({.online = Online{.stall_seconds = -1}}),
            "online tuning with a stall of -1 seconds: nothing is tuned; choose 0 or more");
}

TEST(Tuning, TunablesWithoutASpaceAreSaidOnce) {
  Fixture f({.mode = Mode::on, .miss_budget = kAll});
  for (const std::size_t n : {5U, 5U, 6U}) f.launch(busy_program(), n);
  ASSERT_EQ(f.events.size(), 1U);
  EXPECT_EQ(f.events[0].message,
            "\"busy\": not tuned, because nobody has said which values its tunables may take; call "
            "Runtime::declare");
  f.declare_busy();
  f.launch(busy_program(), 5);
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
}

TEST(Tuning, DeclarationsAreChecked) {
  Fixture f({});
  const auto message = [&](const space::Definition& definition) {
    const auto declared =
        f.runtime.declare(busy_program(), {.space = *space::Space::build(definition)});
    return declared ? std::string() : declared.error().message;
  };
  EXPECT_EQ(message({.parameters = {{"work", {1, 512}}, {"blok", {16}}}, .constraints = {}}),
            "\"busy\": the space has a parameter \"blok\", but there is no such tunable; did you "
            "mean \"block\"?");
  EXPECT_EQ(message({.parameters = {{"work", {1, 2}}, {"block", {16}}}, .constraints = {}}),
            "\"busy\": the space does not contain the defaults (work=512, block=16); add their "
            "values, or loosen its constraints");
  EXPECT_EQ(message({.parameters = {{"work", {1, 512}}}, .constraints = {}}), "");
}

// A device whose compiler can be made to fail or to wait.
class TestDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return inner_->info(); }
  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    return inner_->allocate(bytes);
  }
  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence, std::uint32_t program,
                                            const Specialisation& specialisation) override {
    if (compiles_++ == 1) {
      if (is_broken) return std::unexpected(Error{ErrorKind::backend, "", "compiler gone"});
      if (waits) arrived.count_down(), may_go.wait();
    }
    return inner_->compile(sequence, program, specialisation);
  }
  Expected<std::unique_ptr<Timer>> make_timer() override { return inner_->make_timer(); }
  Expected<void> finish() override { return inner_->finish(); }

  bool is_broken = false;
  bool waits = false;
  std::latch arrived{1};
  std::latch may_go{1};

 private:
  std::shared_ptr<Device> inner_ = open_reference();
  std::atomic<int> compiles_{0};
};

TEST(Tuning, AFailedTrialIsAnEventAndNotTheLaunchs) {
  const TemporaryFolder folder;
  for (const bool is_online : {false, true}) {
    const auto device = std::make_shared<TestDevice>();
    device->is_broken = true;
    RuntimeOptions options{.mode = Mode::on, .files = {.folder = folder.path()}};
    if (is_online) options.online = testing::kEveryLaunch;
    Fixture f(options, device);
    f.declare_busy();
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(f.launch(busy_program(), 100), testing::busy_result(100));
    }
    ASSERT_EQ(f.events.size(), 1U);
    EXPECT_EQ(f.events[0].kind, EventKind::not_tuned);
    EXPECT_EQ(f.events[0].message,
              "not tuned: \"busy\": the default configuration (work=512, block=16) does not run: "
              "compiler gone");
  }
}

TEST(Tuning, LaunchesDoNotWaitForTheCompilerOfAStep) {
  const auto device = std::make_shared<TestDevice>();
  device->waits = true;
  Fixture f({.mode = Mode::natural, .online = Online{.share = 1, .stall_seconds = 0}}, device);
  f.declare_busy();
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(f.launch(busy_program(), 100), testing::busy_result(100));
  }
  EXPECT_EQ(f.resolve(busy_program(), {100, 100}).source, Source::untuned);
  device->may_go.count_down();
  const auto is_decided = [&] {
    return f.resolve(busy_program(), {100, 100}).source == Source::decision;
  };
  for (int k = 0; k < 100'000 && !is_decided(); ++k) f.launch(busy_program(), 100);
  EXPECT_TRUE(is_decided());
}

TEST(Tuning, OthersDoNotWaitForWhoTunes) {
  const auto device = std::make_shared<TestDevice>();
  device->waits = true;
  Fixture f({.mode = Mode::on, .miss_budget = kAll}, device);
  f.declare_busy();
  std::jthread first([&] { EXPECT_EQ(f.launch(busy_program(), 100), testing::busy_result(100)); });
  device->arrived.wait();  // it is in the middle of its trial
  EXPECT_EQ(f.launch(busy_program(), 100), testing::busy_result(100));
  EXPECT_EQ(f.launch(free_program(), 100, {.grid = Extent{2, 1, 1}}), testing::free_result(100));
  EXPECT_EQ(f.resolve(busy_program(), {100, 100}).source, Source::untuned);
  device->may_go.count_down();
  first.join();
  EXPECT_EQ(f.count(EventKind::tuned), 1U);
  EXPECT_EQ(f.resolve(busy_program(), {100, 100}).source, Source::decision);
}

}  // namespace
}  // namespace vyre
