#include "base/files/file_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "base/fork.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

// A child that runs `body` and then waits to be ended.
class Forked {
 public:
  template <class Body>
  explicit Forked(const Body& body) : child_(::fork()) {
    if (child_ != 0) return;
    if (!body()) ::_exit(1);
    for (;;) ::pause();
  }
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;
  ~Forked() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

constexpr double kShort = 0.5;  // seconds; a lock that leaks is held for good

TEST(FileLock, IsHeldByOne) {
  const testing::TemporaryFolder folder;
  auto held = FileLock::take(folder / "f", kShort);
  ASSERT_TRUE(held);
  const auto second = FileLock::take(folder / "f", 0.01);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "another process has held \"" + (folder / "f.lock").string() +
                                        "\" for 0.01 s; try again, or end that process");
}

TEST(FileLock, AChildThatWasForkedMeanwhileDoesNotKeepIt) {
  const testing::TemporaryFolder folder;
  auto held = std::optional(FileLock::take(folder / "f", kShort));
  ASSERT_TRUE(*held);
  const Forked child([] { return true; });
  EXPECT_FALSE(FileLock::take(folder / "f", 0.01)) << "it is still the parent's";
  held.reset();
  EXPECT_TRUE(FileLock::take(folder / "f", kShort));
}

// The holder is killed, and a child of its own lives on.
TEST(FileLock, AChildDoesNotKeepTheLockOfAParentThatIsKilled) {
  const testing::TemporaryFolder folder;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto held = FileLock::take(folder / "f", kShort);
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) ::pause();
    }
    if (::write(ends[1], &child, sizeof child) != sizeof child) ::_exit(1);
    for (;;) ::pause();
  }
  pid_t child = 0;
  ASSERT_EQ(::read(ends[0], &child, sizeof child), ssize_t{sizeof child});
  EXPECT_FALSE(FileLock::take(folder / "f", 0.01));
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_TRUE(FileLock::take(folder / "f", kShort));
  ::kill(child, SIGKILL);
  ::close(ends[0]);
  ::close(ends[1]);
}

// The child's copy of the lock ends without effect, also on a descriptor that took its number.
TEST(FileLock, AChildsCopyDoesNothing) {
  const testing::TemporaryFolder folder;
  auto held = std::optional(FileLock::take(folder / "f", kShort));
  ASSERT_TRUE(*held);
  const pid_t child = ::fork();
  if (child == 0) {
    const int reused = ::open("/dev/null", O_RDONLY);
    held.reset();
    ::_exit(::fcntl(reused, F_GETFD) >= 0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(FileLock::take(folder / "f", 0.01)) << "the parent has it still";
}

TEST(Fork, AChildIsAnotherGeneration) {
  const std::uint64_t here = fork_generation();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(fork_generation() == here + 1 ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(fork_generation(), here);
}

}  // namespace
}  // namespace vyre
