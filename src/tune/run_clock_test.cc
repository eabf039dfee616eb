// Times by clocks that are coarse, or do not tick at all.

#include "tune/run_clock.h"

#include <gtest/gtest.h>

#include "testing/tuned_programs.h"
#include "tune/problem_runner.h"

namespace vyre {
namespace {

// A clock that moves in steps. Every command takes the same time, and so does the pause after it.
struct FakeClock {
  std::uint64_t step_ns = 1;  // 0: it stands still
  std::uint64_t command_ns = 0;
  std::uint64_t pause_ns = 0;
  std::uint64_t now_ns = 0;

  std::uint64_t reading() const { return step_ns == 0 ? 0 : now_ns / step_ns * step_ns; }
  std::uint64_t time_command() {
    const std::uint64_t start = reading();
    now_ns += command_ns;
    const std::uint64_t elapsed = reading() - start;
    now_ns += pause_ns;
    return elapsed;
  }
};

class FakeTimer final : public Timer {
 public:
  explicit FakeTimer(FakeClock& clock) : clock_(clock) {}
  Expected<std::uint64_t> elapsed_ns() override { return clock_.time_command(); }

 private:
  FakeClock& clock_;
};

// The interpreter with another clock.
class FakeTimedDevice final : public Device {
 public:
  explicit FakeTimedDevice(FakeClock& clock) : clock_(clock) {}
  const DeviceInfo& info() const override { return inner_->info(); }
  Expected<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    return inner_->allocate(bytes);
  }
  Expected<std::shared_ptr<Kernel>> compile(const ir::Sequence& sequence, std::uint32_t program,
                                            const Specialisation& specialisation) override {
    return inner_->compile(sequence, program, specialisation);
  }
  Expected<std::unique_ptr<Timer>> make_timer() override {
    ++timers;
    return std::make_unique<FakeTimer>(clock_);
  }
  Expected<void> finish() override { return inner_->finish(); }

  std::size_t timers = 0;

 private:
  FakeClock& clock_;
  std::shared_ptr<Device> inner_ = open_reference({.threads = 1});
};

Problem timed_problem() {
  const auto x = testing::words(8);
  const auto bytes = as_input(x);
  auto space = testing::busy_space();
  const auto index = space.find({{"work", std::int64_t{1}}, {"block", std::int64_t{16}}});
  return {.name = "busy",
          .sequence = testing::busy_program(),
          .space = std::move(space),
          .default_index = *index,
          .inputs = std::make_shared<const Outputs>(Outputs{{bytes.begin(), bytes.end()}})};
}

struct Sampled {
  double ns;
  std::size_t runs;
};

Sampled sample(FakeClock clock) {
  auto device = std::make_shared<FakeTimedDevice>(clock);
  const Problem problem = timed_problem();
  ProblemRunner runner(device, problem);
  const auto result = runner.sample(problem.space.config_at(problem.default_index));
  EXPECT_TRUE(result);
  EXPECT_EQ(result->status, Status::ok);
  return {result->time_ms * 1e6, device->timers};
}

TEST(RunClock, AFineClockTellsAfterAFewRuns) {
  const Sampled sampled = sample({.step_ns = 1, .command_ns = 7301, .pause_ns = 977});
  EXPECT_DOUBLE_EQ(sampled.ns, 7301);
}

TEST(RunClock, RunsAreRepeatedUntilACoarseClockHasTicked) {
  const Sampled sampled = sample({.step_ns = 1000, .command_ns = 730, .pause_ns = 977});
  EXPECT_NEAR(sampled.ns, 730, 730 * 0.02);
  EXPECT_GE(sampled.runs, 100U);
  EXPECT_LE(sampled.runs, 200U);
}

TEST(RunClock, AClockThatStandsStillIsReplacedByTheHosts) {
  const Sampled sampled = sample({.step_ns = 0, .command_ns = 730, .pause_ns = 977});
  // A launch of the interpreter: more than a call of a function, less than a second.
  EXPECT_GT(sampled.ns, 100);
  EXPECT_LT(sampled.ns, 1e9);
  EXPECT_LE(sampled.runs, 2 + RunClock::kMostRuns);
}

// The runs that a sample takes of a device's clock, and of a host's that reads 5000 ns.
std::vector<RunClock::Run> take(RunClock& clock, FakeClock device, double seconds_each) {
  std::vector<RunClock::Run> runs;
  while (clock.wants_more(runs, seconds_each * static_cast<double>(runs.size()))) {
    runs.push_back({.device_ns = device.time_command(), .host_ns = 5000});
    clock.note(runs.back().device_ns);
  }
  return runs;
}

TEST(RunClock, EveryStepGivesTheSameTime) {
  for (const std::uint64_t step_ns : {1U, 10U, 32U, 100U, 1000U, 10'000U}) {
    RunClock clock;
    const auto runs = take(clock, {.step_ns = step_ns, .command_ns = 3137, .pause_ns = 1009}, 1e-6);
    EXPECT_NEAR(clock.time_ns(runs), 3137, 3137 * 0.02) << step_ns;
    EXPECT_FALSE(clock.uses_host()) << step_ns;
  }
}

// One of two clocks is used to the end, because their times cannot be compared.
TEST(RunClock, TheHostsClockStaysOnceItServes) {
  RunClock clock;
  const auto none = take(clock, {.step_ns = 0, .command_ns = 700}, 1e-6);
  EXPECT_EQ(none.size(), RunClock::kMostRuns);
  EXPECT_EQ(clock.time_ns(none), 5000);
  const auto fine = take(clock, {.step_ns = 1, .command_ns = 700}, 1e-6);
  EXPECT_EQ(fine.size(), RunClock::kRuns);
  EXPECT_EQ(clock.time_ns(fine), 5000);
}

TEST(RunClock, SlowRunsAreNotRepeatedForLong) {
  RunClock clock;
  const auto runs = take(clock, {.step_ns = 0, .command_ns = 700}, 0.04);
  EXPECT_EQ(runs.size(), 3U);
  EXPECT_EQ(clock.time_ns(runs), 5000);
}

}  // namespace
}  // namespace vyre
