#include "base/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/files/whole_file.h"

namespace vyre {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// The first number behind `name` in a file of the kernel's; without a name, of the file. None also
// for "max", as a control group without a limit says.
std::optional<std::uint64_t> number_in(const char* file, std::string_view name = {}) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 16U;
  const auto text = read_file(file, kMostBytes);
  if (!text) return std::nullopt;
  const std::size_t found = text->find(name);
  if (found == std::string::npos) return std::nullopt;
  const std::size_t start = text->find_first_not_of(" \t", found + name.size());
  if (start == std::string::npos) return std::nullopt;
  std::uint64_t out = 0;
  const auto read = std::from_chars(text->data() + start, text->data() + text->size(), out);
  return read.ec == std::errc() ? std::optional(out) : std::nullopt;
}

std::uint64_t left(std::optional<std::uint64_t> limit, std::optional<std::uint64_t> used) {
  if (!limit || !used) return kNoLimit;
  return *limit - std::min(*limit, *used);
}

// Pages of files that the group has read count as used, and are given up on demand.
std::uint64_t left_in_group() {
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  const auto files = number_in("/sys/fs/cgroup/memory.stat", "inactive_file").value_or(0);
  return saturating_sum(left(number_in("/sys/fs/cgroup/memory.max"), used), files);
}

std::uint64_t left_of_addresses() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  const auto pages = number_in("/proc/self/statm");
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return pages ? left(limit.rlim_cur, *pages * page_bytes) : limit.rlim_cur;
}

std::uint64_t free_in_machine() {
  const auto kilobytes = number_in("/proc/meminfo", "MemAvailable:");
  return kilobytes ? saturating_product(*kilobytes, 1024) : kNoLimit;
}

}  // namespace

std::uint64_t free_memory_bytes() {
  return std::min({free_in_machine(), left_in_group(), left_of_addresses()});
}

// statm: the whole size, then what is resident, both in pages.
std::uint64_t resident_bytes(pid_t process) {
  const auto pages = number_in(fmt::format("/proc/{}/statm", process).c_str(), " ");
  return pages.value_or(0) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

Expected<void> check_memory(std::string_view what, std::uint64_t bytes) {
  const std::uint64_t free = free_memory_bytes();
  if (bytes <= free) return {};
  return bad_inputs("{} needs {} bytes of memory, and {} are free; use smaller sizes", what, bytes,
                    free);
}

}  // namespace vyre
