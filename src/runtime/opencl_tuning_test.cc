// Launches that tune on a real device: nothing about their outputs changes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/temporary_folder.h"
#include "testing/tuning_fixture.h"
#include "testing/twice_problem.h"

namespace vyre {
namespace {

using testing::busy_program;
using testing::free_program;
using Fixture = testing::TuningFixture;

std::shared_ptr<Device> device() {
  static const auto kDevice = open_device("opencl");
  EXPECT_TRUE(kDevice) << "no OpenCL device; run tools/setup";
  return kDevice ? *kDevice : open_reference();
}

void expect_same_outputs(RuntimeOptions options, bool is_on_device) {
  const std::size_t wanted = options.mode == Mode::off ? 0 : 2;
  options.miss_budget = {.seconds = 0, .evaluations = 2};
  Fixture f(std::move(options), device());
  f.is_on_device = is_on_device;
  f.declare_busy();
  for (int k = 0; k < 500'000 && (k < 5 || f.count(EventKind::tuned) < wanted); ++k) {
    ASSERT_EQ(f.launch(busy_program(), 20'000), testing::busy_result(20'000));
    ASSERT_EQ(f.launch(free_program(), 20'000), testing::free_result(20'000));
  }
  EXPECT_EQ(f.count(EventKind::tuned), wanted);
  EXPECT_EQ(f.count(EventKind::not_tuned), 0U);
}

TEST(opencl_tuning, OutputsAreTheSameInEveryMode) {
  for (const bool is_on_device : {false, true}) {
    for (const Mode mode : {Mode::off, Mode::on, Mode::natural}) {
      expect_same_outputs({.mode = mode}, is_on_device);
    }
    // A process of their own is tried above; its start would have to be earned by launches first.
    expect_same_outputs({.mode = Mode::natural,
                         .online = Online{.share = 1},
                         .workers = {.isolation = Isolation::in_process}},
                        is_on_device);
  }
}

// A neighbour's configuration is tried on copies before it serves memory of the device.
TEST(opencl_tuning, NeighboursAreProvedOnTheDevice) {
  Fixture f({}, device());
  f.is_on_device = true;
  f.declare_busy();
  f.decide_busy(1000, testing::busy_config(1, 32));
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(f.launch(busy_program(), 1100), testing::busy_result(1100));
  }
  EXPECT_EQ(f.count(EventKind::fallback), 0U);
  EXPECT_EQ(f.count(EventKind::seed_used) + f.count(EventKind::tune_advised), 1U);
}

ir::Sequence compile_bomb() {
  const auto def = ir::parse(testing::kCompileBomb);
  EXPECT_TRUE(def) << def.error().message;
  return *ir::Sequence::make(*def);
}

// `exceeded`: what the message says of the compiler, and which limit it names.
void expect_given_up(const WorkerOptions& workers, const std::string& exceeded,
                     const std::string& limit) {
  Fixture f({.mode = Mode::natural, .miss_budget = {.seconds = 1}, .workers = workers}, device());
  const ir::Sequence bomb = compile_bomb();
  ASSERT_TRUE(
      f.runtime.declare(bomb, {.space = *space::Space::build(
                                   {.parameters = {{"turns", {999, 1000}}}, .constraints = {}})}));
  const std::vector<std::uint32_t> y = testing::words(64);
  const std::vector<Input> inputs{as_input(y)};
  for (int k = 0; k < 2; ++k) {
    const auto launched = f.runtime.launch(bomb, {.inputs = inputs});
    ASSERT_FALSE(launched);
    EXPECT_EQ(launched.error().message,
              "\"bomb\": compiling took " + exceeded +
                  " in a worker and was given up; make the kernel smaller or raise the limit "
                  "(WorkerOptions::" +
                  limit + ")");
  }
  // The compiler of this process is free.
  EXPECT_EQ(f.launch(free_program(), 100), testing::free_result(100));
}

TEST(opencl_tuning, ACompileBombDoesNotReachThisProcess) {
  WorkerOptions workers{.isolation = Isolation::workers,
                        .executable = VYRE_WORKER,
                        .build_limit = std::chrono::milliseconds(500)};
  expect_given_up(workers, "longer than 500 ms", "build_limit");
  workers.build_limit = std::chrono::seconds(100);
  workers.build_memory = std::uint64_t{30} << 20U;
  expect_given_up(workers, "more than 30 MiB of memory", "build_memory");
}

TEST(opencl_tuning, TheSecondStartIsServedFromTheCache) {
  const testing::TemporaryFolder folder;
  for (const std::size_t tuned : {1U, 0U}) {
    Fixture f({.mode = Mode::natural,
               .miss_budget = {.seconds = 0, .evaluations = 3},
               .files = {.folder = folder.path()}},
              device());
    EXPECT_EQ(f.launch(free_program(), 5000), testing::free_result(5000));
    EXPECT_EQ(f.count(EventKind::tuned), tuned);
    EXPECT_EQ(f.resolve(free_program(), {5000, 5000, 5000}).source, Source::decision);
  }
}

}  // namespace
}  // namespace vyre
