#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>

namespace vyre {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Memory, ThereIsSomeAndNotWithoutEnd) {
  EXPECT_GT(free_memory_bytes(), std::uint64_t{1} << 20U);
  EXPECT_LT(free_memory_bytes(), std::uint64_t{1} << 50U);
}

TEST(Memory, ASizeThatDoesNotFitIsRefusedWithBothNumbers) {
  EXPECT_TRUE(check_memory("it", 1 << 20));
  const auto refused = check_memory("\"saxpy\"", kMost);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::bad_inputs);
  EXPECT_TRUE(refused.error().message.starts_with(
      "\"saxpy\" needs 18446744073709551615 bytes of memory, and "))
      << refused.error().message;
  EXPECT_TRUE(refused.error().message.ends_with(" are free; use smaller sizes"));
}

TEST(Memory, TheLimitOfTheProcessCounts) {
  constexpr std::uint64_t kMore = std::uint64_t{64} << 20U;
  const pid_t child = ::fork();
  if (child == 0) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + kMore;
    ::setrlimit(RLIMIT_AS, &limit);
    ::_exit(free_memory_bytes() <= kMore ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Memory, ProductsAndSumsDoNotOverflow) {
  EXPECT_EQ(saturating_product(1U << 20U, 1U << 20U), std::uint64_t{1} << 40U);
  EXPECT_EQ(saturating_product(kMost, 2), kMost);
  EXPECT_EQ(saturating_sum(kMost - 1, 1), kMost);
  EXPECT_EQ(saturating_sum(kMost, 1), kMost);
}

}  // namespace
}  // namespace vyre
