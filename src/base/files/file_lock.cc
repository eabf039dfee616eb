#include "base/files/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/files/safe_file.h"
#include "base/files/whole_file.h"
#include "base/fork.h"
#include "base/text.h"

namespace vyre {

LockedFile::LockedFile(FileDescriptor descriptor)
    : descriptor_(std::move(descriptor)), generation_(fork_generation()) {
  close_in_children(get());
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : descriptor_(std::move(other.descriptor_)), generation_(other.generation_) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(generation_, other.generation_);
  return *this;
}

LockedFile::~LockedFile() { let_go(); }

// In a forked child the descriptor is closed already, and its number may be another file's.
void LockedFile::let_go() {
  if (!descriptor_.is_open()) return;
  if (generation_ != fork_generation()) return descriptor_.forget();
  ::flock(get(), LOCK_UN);
  keep_in_children(get());
}

// The child's copy is closed from the start: between locking and a later registration there would
// be time for a fork.
std::expected<LockedFile, int> LockedFile::try_lock(FileDescriptor descriptor) {
  LockedFile out(std::move(descriptor));
  if (::flock(out.get(), LOCK_EX | LOCK_NB) != 0) return std::unexpected(errno);
  return out;
}

Expected<FileLock> FileLock::take(const std::filesystem::path& file, double seconds) {
  const std::string name = file.native() + ".lock";
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::microseconds(100);
  for (;;) {
    auto descriptor = open_own(name, O_RDWR);
    if (!descriptor) {
      return io_error("cannot lock {}: {}; decisions stay in memory until that is possible",
                      quote_path(name), descriptor.error().message);
    }
    auto locked = LockedFile::try_lock(*std::move(descriptor));
    if (locked && is_still(locked->get(), name)) return FileLock(*std::move(locked));
    if (!locked && locked.error() != EWOULDBLOCK && locked.error() != EINTR) {
      return io_error("cannot lock {}: {}", quote_path(name),
                      std::generic_category().message(locked.error()));
    }
    if (Clock::now() >= deadline) {
      return io_error("another process has held {} for {} s; try again, or end that process",
                      quote_path(name), seconds);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(4000));
  }
}

std::uint64_t FileLock::version() const {
  std::uint64_t out = 0;
  return ::pread(file_.get(), &out, sizeof out, 0) == sizeof out ? out : 0;
}

Expected<std::uint64_t> FileLock::next_version() {
  const std::uint64_t next = version() + 1;
  if (::pwrite(file_.get(), &next, sizeof next, 0) == sizeof next) return next;
  return io_error("cannot write to the lock of the decisions: {}", last_error());
}

}  // namespace vyre
