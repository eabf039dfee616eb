#include "base/files/safe_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"

namespace vyre {
namespace {

constexpr mode_t kOwnerOnly = 0700;

}  // namespace

bool is_still(int fd, const std::filesystem::path& file) {
  struct stat ours{};
  struct stat named{};
  return ::fstat(fd, &ours) == 0 && ::lstat(file.c_str(), &named) == 0 &&
         ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

Expected<FileState> look_at(const std::filesystem::path& file) {
  struct stat info{};
  if (::lstat(file.c_str(), &info) != 0) {
    if (errno == ENOENT) return FileState{};
    return io_error("cannot look at {}: {}", quote(file.native()), last_error());
  }
  if (S_ISLNK(info.st_mode)) {
    return io_error(
        "{} is a symbolic link; decisions are not written through links: put the file "
        "itself there",
        quote(file.native()));
  }
  if (!S_ISREG(info.st_mode)) {
    return io_error("{} is not a file; move it away", quote(file.native()));
  }
  return FileState{
      .exists = true,
      .device = info.st_dev,
      .inode = info.st_ino,
      .bytes = static_cast<std::uint64_t>(info.st_size),
      .modified_ns = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

Expected<std::string> read_carefully(const std::filesystem::path& file, std::uint64_t limit) {
  VYRE_TRY(const FileState state, look_at(file));
  if (!state.exists) return std::string();
  if (state.bytes > limit) {
    return bad_inputs("{} has {} bytes, more than the limit of {}; prune it or raise the limit",
                      quote(file.native()), state.bytes, limit);
  }
  return read_file(file, limit);
}

Expected<void> make_folders(const std::filesystem::path& folder) {
  std::filesystem::path so_far;
  for (const auto& part : folder) {
    so_far /= part;
    if (::mkdir(so_far.c_str(), kOwnerOnly) == 0 || errno == EEXIST || errno == EISDIR) continue;
    // mkdir of a parent that exists in a folder without write access fails with EACCES or EROFS.
    // That is no error: the folders below it may be writable.
    struct stat info{};
    const std::string reason = last_error();
    if (::stat(so_far.c_str(), &info) == 0) continue;
    return io_error("cannot make the folder {}: {}; make it, or set XDG_CACHE_HOME to another",
                    quote(so_far.native()), reason);
  }
  return {};
}

Expected<FileLock> FileLock::take(const std::filesystem::path& file, double seconds) {
  const std::string name = file.native() + ".lock";
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::microseconds(100);
  for (;;) {
    FileDescriptor fd(
        ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, kOwnersFile));
    if (!fd.is_open()) {
      return io_error("cannot lock {}: {}; decisions stay in memory until that is possible",
                      quote(name), last_error());
    }
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
      if (is_still(fd.get(), name)) return FileLock(std::move(fd));
    } else if (errno != EWOULDBLOCK && errno != EINTR) {
      return io_error("cannot lock {}: {}", quote(name), last_error());
    }
    if (Clock::now() >= deadline) {
      return io_error("another process has held {} for {} s; try again, or end that process",
                      quote(name), seconds);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(4000));
  }
}

std::uint64_t FileLock::version() const {
  std::uint64_t out = 0;
  return ::pread(descriptor_.get(), &out, sizeof out, 0) == sizeof out ? out : 0;
}

Expected<std::uint64_t> FileLock::next_version() {
  const std::uint64_t next = version() + 1;
  if (::pwrite(descriptor_.get(), &next, sizeof next, 0) == sizeof next) return next;
  return io_error("cannot write to the lock of the decisions: {}", last_error());
}

void remove_orphans(const std::filesystem::path& file) {
  const std::string prefix = file.filename().native() + ".";
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(file.parent_path(), ignored), end; it != end;
       it.increment(ignored)) {
    if (ignored) return;
    const std::string name = it->path().filename().native();
    if (name.starts_with(prefix) && name.ends_with(".tmp")) ::unlink(it->path().c_str());
  }
}

}  // namespace vyre
