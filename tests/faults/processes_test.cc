// Several processes on one file, and processes that are killed while they save.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "child.h"
#include "saver.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"

namespace vyre::faults {
namespace {

using testing::TemporaryFolder;

// A saver as a child process.
class Saver {
 public:
  Saver(const std::filesystem::path& folder, std::uint64_t first, std::uint64_t count)
      : child_({"--saver", folder.native(), std::to_string(first), std::to_string(count)}) {}

  void kill() const { child_.kill(); }
  void wait_for_a_save() const { child_.wait_for_output(); }

  // Exit code, or -1 if it was killed; `saved` gets what it said.
  int wait(std::vector<std::uint64_t>& saved) const {
    std::vector<std::string> lines;
    const int code = child_.wait(lines);
    for (const std::string& line : lines) saved.push_back(std::stoull(line));
    return code;
  }

 private:
  Child child_;
};

void expect_all(const std::filesystem::path& folder, const std::vector<std::uint64_t>& saved) {
  const auto cache = DecisionCache::open(options_for(folder));
  ASSERT_FALSE(cache.load_error()) << cache.load_error()->message;
  for (const std::uint64_t n : saved) EXPECT_TRUE(cache.find(key(n))) << n;
}

TEST(Processes, EightAtOnceLoseNothing) {
  const TemporaryFolder folder;
  const std::uint64_t each = testing::cases(25, 200);
  std::vector<std::unique_ptr<Saver>> savers;
  for (std::uint64_t k = 0; k < 8; ++k) {
    savers.push_back(std::make_unique<Saver>(folder.path(), k * 1000, each));
  }
  std::vector<std::uint64_t> saved;
  for (const auto& saver : savers) EXPECT_EQ(saver->wait(saved), 0);
  EXPECT_EQ(saved.size(), 8 * each);
  expect_all(folder.path(), saved);
  EXPECT_EQ(DecisionCache::open(options_for(folder.path())).size(), 8 * each);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"gpu.toml", "gpu.toml.lock"}));
}

// Four savers at a time; all of them are killed at random moments, again and again, until so many
// saves have returned. The clock starts with the first save, so that a slow machine saves too.
TEST(Processes, KilledAtAnyMomentKeepWhatTheySaved) {
  const TemporaryFolder folder;
  const std::size_t wanted = testing::cases(100, 1000);
  std::mt19937 random(1);
  std::uniform_int_distribution<int> delay_us(0, 10'000);
  std::vector<std::uint64_t> saved;
  std::uint64_t next = 0;
  int rounds = 0;
  for (; saved.size() < wanted; ++rounds) {
    std::vector<std::unique_ptr<Saver>> savers;
    for (int k = 0; k < 4; ++k, next += 1000) {
      savers.push_back(std::make_unique<Saver>(folder.path(), next, 1000));
    }
    savers.front()->wait_for_a_save();
    for (const auto& saver : savers) {
      std::this_thread::sleep_for(std::chrono::microseconds(delay_us(random)));
      saver->kill();
    }
    for (const auto& saver : savers) EXPECT_EQ(saver->wait(saved), -1);
    expect_all(folder.path(), saved);
    if (HasFailure()) break;
  }
  RecordProperty("rounds", rounds);
  auto cache = DecisionCache::open(options_for(folder.path()));
  cache.offer(key(next), decision(next));
  ASSERT_TRUE(cache.save());
  // Whatever the killed ones have left behind is gone.
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"gpu.toml", "gpu.toml.lock"}));
}

// An application forks at any moment of a save, and its children live on without ever saving. Each
// would have a copy of the lock.
TEST(Processes, ChildrenThatAreForkedDuringSavesKeepNoLock) {
  const TemporaryFolder folder;
  auto options = options_for(folder.path());
  options.lock_seconds = 2;
  std::atomic<bool> is_over = false;
  std::atomic<std::uint64_t> failed = 0;
  std::atomic<std::uint64_t> saved = 0;
  std::thread saver([&] {
    auto cache = DecisionCache::open(options);
    for (std::uint64_t n = 0; !is_over; ++n) {
      cache.offer(key(n), decision(n));
      cache.save() ? ++saved : ++failed;
    }
  });
  std::vector<pid_t> children;
  for (std::uint64_t k = 0; k < testing::cases(40, 1000); ++k) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) ::pause();
    }
    children.push_back(child);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::uint64_t by_then = saved;
  while (saved < by_then + 3 && failed == 0) std::this_thread::yield();
  is_over = true;
  saver.join();
  for (const pid_t child : children) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  EXPECT_EQ(failed, 0U);
  EXPECT_EQ(DecisionCache::open(options).size(), saved);
}

TEST(Processes, ALockThatIsHeldIsWaitedForOnlySoLong) {
  const TemporaryFolder folder;
  auto holder = DecisionCache::open(options_for(folder.path()));
  holder.offer(key(1), decision(1));
  ASSERT_TRUE(holder.save());
  const int fd = ::open((folder / "gpu.toml.lock").c_str(), O_RDWR);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  auto options = options_for(folder.path());
  options.lock_seconds = 0.01;
  auto cache = DecisionCache::open(options);
  cache.offer(key(2), decision(2));
  const auto result = cache.save();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "another process has held \"" +
                                        (folder / "gpu.toml.lock").string() +
                                        "\" for 0.01 s; try again, or end that process");
  ::close(fd);
  EXPECT_TRUE(cache.save());
  EXPECT_EQ(DecisionCache::open(options).size(), 2U);
}

}  // namespace
}  // namespace vyre::faults
