#include "base/files/safe_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"

namespace vyre {
namespace {

constexpr mode_t kOwnersFolder = 0700;

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
    return io_error("cannot look at {}: {}", quote_path(file.native()), last_error());
  }
  if (S_ISLNK(info.st_mode)) {
    return io_error(
        "{} is a symbolic link; decisions are not written through links: put the file "
        "itself there",
        quote_path(file.native()));
  }
  if (!S_ISREG(info.st_mode)) {
    return io_error("{} is not a file; move it away", quote_path(file.native()));
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
                      quote_path(file.native()), state.bytes, limit);
  }
  return read_file(file, limit, Links::refuse);
}

Expected<void> make_folders(const std::filesystem::path& folder) {
  std::filesystem::path so_far;
  for (const auto& part : folder) {
    so_far /= part;
    if (::mkdir(so_far.c_str(), kOwnersFolder) == 0) {
      (void)::chmod(so_far.c_str(), kOwnersFolder);
      continue;
    }
    if (errno == EEXIST || errno == EISDIR) continue;
    // mkdir of a parent that exists in a folder without write access fails with EACCES or EROFS.
    // That is no error: the folders below it may be writable.
    struct stat info{};
    const std::string reason = last_error();
    if (::stat(so_far.c_str(), &info) == 0) continue;
    return io_error("cannot make the folder {}: {}; make it, or set XDG_CACHE_HOME to another",
                    quote_path(so_far.native()), reason);
  }
  return {};
}

Expected<FileDescriptor> open_own(const std::filesystem::path& file, int flags) {
  constexpr int kCarefully = O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  FileDescriptor out(::open(file.c_str(), flags | kCarefully, kOwnersFile));
  if (!out.is_open()) return io_error("{}", last_error());
  struct stat info{};
  if (::fstat(out.get(), &info) != 0) return io_error("{}", last_error());
  if (!S_ISREG(info.st_mode)) return io_error("it is no ordinary file; move it away");
  if ((info.st_mode & 0777U) != kOwnersFile) (void)::fchmod(out.get(), kOwnersFile);
  return out;
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
