// Launches go on while other threads tune, on every device: none fails, and no time is impossible.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "testing/every_device.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre {
namespace {

constexpr std::size_t kDecidedSize = 500;
constexpr std::size_t kLaunchers = 2;
constexpr std::size_t kTuners = 2;

// A launch of the smallest program takes longer than this on any clock.
constexpr double kLeastNs = 10;

class Stress {
 public:
  explicit Stress(const std::string& device)
      : runtime_(*Runtime::open(*open_device(device),
                                {.mode = Mode::natural,
                                 .miss_budget = {.seconds = 0, .evaluations = 2},
                                 // In the process, where it can disturb.
                                 .workers = {.isolation = Isolation::in_process},
                                 .files = {.folder = folder_.path()},
                                 .events = [this](const Event& event) { note(event); }})) {
    EXPECT_TRUE(runtime_.declare(testing::busy_program(), {.space = testing::busy_space()}));
    launch(testing::busy_program(), kDecidedSize, testing::busy_result(kDecidedSize));
    EXPECT_EQ(runtime_.cache().size(), 1U);
  }

  void run() {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < kLaunchers; ++k) {
      threads.emplace_back([this, k] { launch_all(k == 0); });
    }
    for (std::size_t k = 0; k < kTuners; ++k) {
      threads.emplace_back([this, k] { meet_keys(k); });
    }
  }

  void expect_sound() const {
    EXPECT_GE(launches_, wanted_launches());
    EXPECT_EQ(failures_, "");
    EXPECT_EQ(complaints_, "");
    EXPECT_EQ(runtime_.cache().size(), 1 + keys_);
    for (const CacheEntry& entry : runtime_.cache().entries()) {
      const Decision& decision = entry.decision;
      EXPECT_TRUE(decision.verified);
      EXPECT_GT(decision.samples, 0U);
      for (const Estimate& time : {decision.elapsed, decision.default_elapsed}) {
        EXPECT_GT(time.ns, kLeastNs);
        EXPECT_GT(time.low_ns, kLeastNs);
        EXPECT_LT(time.ns, 1e10);
      }
    }
  }

 private:
  static std::size_t wanted_launches() { return testing::cases(4000, 1'000'000); }
  static std::size_t wanted_keys() { return testing::cases(4, 100); }

  void note(const Event& event) {
    if (event.kind != EventKind::not_tuned && event.kind != EventKind::warning) return;
    // Nobody declares the values of its tunable, and that is said once.
    if (event.message.starts_with("\"wrong\": not tuned, because nobody")) return;
    const std::lock_guard lock(mutex_);
    complaints_ += event.message + "\n";
  }

  void launch(const ir::Sequence& sequence, std::size_t n,
              const std::vector<std::uint32_t>& wanted) {
    const std::vector<std::uint32_t> x = testing::words(n);
    const std::vector<Input> inputs{as_input(x)};
    const auto out = runtime_.launch(sequence, {.inputs = inputs});
    ++launches_;
    if (out && values_of<std::uint32_t>((*out)[0]) == wanted) return;
    const std::lock_guard lock(mutex_);
    failures_ += (out ? "a wrong result" : out.error().message) + "\n";
  }

  void launch_all(bool is_decided) {
    std::vector<std::uint32_t> plus_tile = testing::words(kDecidedSize);
    for (std::uint32_t& word : plus_tile) ++word;
    while (launches_ < wanted_launches() || tuners_ < kTuners) {
      if (is_decided) {
        launch(testing::busy_program(), kDecidedSize, testing::busy_result(kDecidedSize));
      } else {
        launch(testing::wrong_program(), kDecidedSize, plus_tile);
      }
    }
  }

  // Each thread meets its own sizes, of two programs in turn.
  void meet_keys(std::size_t thread) {
    for (std::size_t key = 0; key < wanted_keys(); ++key) {
      const std::size_t n = kDecidedSize + 1 + key * kTuners + thread;
      const bool is_busy = key % 2 == 0;
      launch(is_busy ? testing::busy_program() : testing::free_program(), n,
             is_busy ? testing::busy_result(n) : testing::free_result(n));
      ++keys_;
    }
    ++tuners_;
  }

  const testing::TemporaryFolder folder_;
  std::mutex mutex_;
  std::string complaints_;
  std::string failures_;
  std::atomic<std::size_t> launches_{0};
  std::atomic<std::size_t> keys_{0};
  std::atomic<std::size_t> tuners_{0};  // that are done
  Runtime runtime_;
};

TEST(LaunchesBesideTuning, NoneFailsAndEveryTimeIsPossible) {
  for (const std::string& device : testing::every_device()) {
    SCOPED_TRACE(device);
    Stress stress(device);
    stress.run();
    stress.expect_sound();
  }
}

}  // namespace
}  // namespace vyre
