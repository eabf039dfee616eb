#include "base/parallel.h"

#include <gtest/gtest.h>

#include <vector>

namespace vyre {
namespace {

TEST(ThreadPool, CallsEveryWorkerOnceAndWaits) {
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    ASSERT_EQ(pool.threads(), threads);
    std::vector<int> calls(threads);
    auto count = [&](std::uint32_t worker) { ++calls[worker]; };
    for (int round = 0; round < 200; ++round) pool.run(count);
    EXPECT_EQ(calls, std::vector<int>(threads, 200));
  }
}

TEST(ThreadPool, TakesJobsFromSeveralThreads) {
  ThreadPool pool(3);
  std::atomic<int> sum = 0;
  auto add = [&](std::uint32_t) { ++sum; };
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) pool.run(add);
    });
  }
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(sum, 4 * 50 * 3);
}

}  // namespace
}  // namespace vyre
