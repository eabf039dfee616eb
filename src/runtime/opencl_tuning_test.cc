// Launches that tune on a real device: nothing about their outputs changes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/temporary_folder.h"
#include "testing/tuning_fixture.h"

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
