// Tuning under many threads: made for ThreadSanitizer.

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <thread>

#include "testing/journals.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre {
namespace {

constexpr std::size_t kThreads = 4;

// More keys than threads, so that threads meet at a key and miss each other, too.
std::size_t keys() { return testing::cases(24, 50); }

// Sizes of which no two are the same: every key is another one.
std::size_t size_of(std::size_t key) { return 20 + key; }

bool is_busy(std::size_t key) { return key % 2 == 0; }

// All keys, over and over, each thread in another order; every output is right.
void launch_all(Runtime& runtime, std::size_t thread, std::size_t rounds) {
  for (std::size_t k = 0; k < rounds * keys(); ++k) {
    const std::size_t key = (k * 7 + thread * 13) % keys();
    const std::size_t n = size_of(key);
    const std::vector<std::uint32_t> x = testing::words(n);
    const std::vector<Input> inputs{as_input(x)};
    const auto out = runtime.launch(
        is_busy(key) ? testing::busy_program() : testing::free_program(), {.inputs = inputs});
    ASSERT_TRUE(out) << out.error().message;
    EXPECT_EQ(values_of<std::uint32_t>((*out)[0]),
              is_busy(key) ? testing::busy_result(n) : testing::free_result(n));
  }
}

void expect_decided(const DecisionCache& cache) {
  for (std::size_t key = 0; key < keys(); ++key) {
    const std::uint64_t n = size_of(key);
    const bool busy = is_busy(key);
    const auto& fingerprint =
        (busy ? testing::busy_program() : testing::free_program()).fingerprint();
    const std::vector<std::uint64_t> shape(busy ? 2 : 3, n);
    const DecisionRef found = cache.find(fingerprint, shape);
    ASSERT_TRUE(found) << key;
    const Decision decision = cache.read(found);
    EXPECT_EQ(decision.shape, shape);
    EXPECT_TRUE(decision.verified);
    EXPECT_GT(decision.samples, 0U);
    EXPECT_EQ(decision.strategy, busy ? "natural" : "natural_search");
    if (busy) {
      EXPECT_TRUE(testing::busy_space().contains(Config{
          {"work", *decision.config.find("work")}, {"block", *decision.config.find("block")}}));
    } else {
      EXPECT_TRUE(workgroup_of(decision.config));
    }
  }
}

struct Counter {
  EventSink sink() {
    return [this](const Event& event) {
      const std::lock_guard lock(mutex);
      ++counts[event.kind];
    };
  }
  std::mutex mutex;
  std::map<EventKind, std::size_t> counts;
};

void run_threads(Runtime& runtime, std::size_t rounds) {
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&runtime, thread, rounds] { launch_all(runtime, thread, rounds); });
  }
}

TEST(TuningStress, EveryKeyIsTunedOnce) {
  const testing::TemporaryFolder folder;
  Counter counter;
  Runtime runtime =
      *Runtime::open(open_reference(), {.mode = Mode::natural,
                                        .miss_budget = {.seconds = 0, .evaluations = 3},
                                        .files = {.folder = folder.path()},
                                        .events = counter.sink()});
  ASSERT_TRUE(runtime.declare(testing::busy_program(), {.space = testing::busy_space()}));
  run_threads(runtime, testing::cases(2, 50));
  EXPECT_EQ(counter.counts[EventKind::tuned], keys());
  EXPECT_EQ(counter.counts[EventKind::not_tuned], 0U);
  EXPECT_EQ(counter.counts[EventKind::warning], 0U);
  EXPECT_EQ(runtime.cache().size(), keys());
  expect_decided(runtime.cache());
  EXPECT_TRUE(testing::all_are_finished(folder / "journals"));
  const auto again = DecisionCache::open({.adapter = safe_name(open_reference()->info()),
                                          .folder = folder / "tuner",
                                          .identity = runtime.cache().identity()});
  expect_decided(again);
}

TEST(TuningStress, OnlineStepsAreTakenByOneThreadAtATime) {
  for (const double stall_seconds : {0., 600.}) {
    const testing::TemporaryFolder folder;
    Counter counter;
    CacheOptions cache{.folder = folder / "tuner"};
    {
      Runtime runtime = *Runtime::open(
          open_reference(), {.mode = Mode::natural,
                             .miss_budget = {.seconds = 0, .evaluations = 3},
                             .online = Online{.share = 1, .stall_seconds = stall_seconds},
                             .files = {.folder = folder.path()},
                             .events = counter.sink()});
      ASSERT_TRUE(runtime.declare(testing::busy_program(), {.space = testing::busy_space()}));
      run_threads(runtime, testing::cases(20, 500));
      cache.adapter = safe_name(open_reference()->info());
      cache.identity = runtime.cache().identity();
    }
    EXPECT_LE(counter.counts[EventKind::tuned], keys());
    EXPECT_EQ(counter.counts[EventKind::tuned], DecisionCache::open(cache).size());
    EXPECT_EQ(counter.counts[EventKind::not_tuned], 0U);
  }
}

}  // namespace
}  // namespace vyre
