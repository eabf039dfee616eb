#include "base/files/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files/file_descriptor.h"
#include "base/text.h"

namespace vyre {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20;

// How much to ask for first: the whole file and one byte to see its end. Less than `max_bytes` and
// that byte if the size is not known.
std::size_t first_chunk(int fd, std::size_t max_bytes) {
  struct stat info{};
  if (::fstat(fd, &info) != 0 || info.st_size <= 0) return std::min(max_bytes, kChunkBytes) + 1;
  return static_cast<std::size_t>(info.st_size) + 1;
}

// Reads into the text behind its first `used` bytes, up to `room` bytes in all, and cuts off the
// rest. The room is not filled with zeros first, which would take a third of the time to read.
ssize_t read_behind(int fd, std::string& text, std::size_t used, std::size_t room) {
  ssize_t got = 0;
  text.resize_and_overwrite(room, [&](char* bytes, std::size_t size) {
    got = ::read(fd, bytes + used, size - used);
    return used + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  });
  return got;
}

std::unexpected<Error> no_ordinary_file(const std::filesystem::path& path) {
  return io_error("cannot read {}: it is no ordinary file; choose another",
                  quote_path(path.native()));
}

// A name beside `path` that no other writer uses: processes differ by id, threads by the counter.
std::string temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.{}.{}.tmp", path.native(), ::getpid(), counter++);
}

// Makes the rename itself durable. Some file systems refuse to sync a folder; the data is safe
// there by then, so that is no failure.
void sync_folder(const std::filesystem::path& path) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.is_open()) (void)::fsync(fd.get());
}

bool write_durably(const std::string& name, std::string_view bytes, unsigned mode) {
  FileDescriptor fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.is_open() || (mode == kOwnersFile && ::fchmod(fd.get(), mode) != 0)) return false;
  return write_all(fd.get(), bytes) && ::fsync(fd.get()) == 0 && fd.close();
}

// "; did you mean "twice.json"?" if there is no such file and one beside it has a name like it.
std::string nearest_file(const std::filesystem::path& path) {
  constexpr std::size_t kMostLookedAt = 1000;
  std::error_code error;
  if (std::filesystem::exists(path, error)) return "";
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  std::filesystem::directory_iterator at(folder, error);
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    if (names.size() == kMostLookedAt) break;
    names.push_back(at->path().filename().string());
  }
  std::ranges::sort(names);  // as the folder's order has no meaning
  return did_you_mean(path.filename().native(), names);
}

}  // namespace

std::string last_error() { return std::generic_category().message(errno); }

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), kChunkBytes));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Looks before it opens, because opening a device can do something; and again afterwards, because
// the path may have another meaning by then.
Expected<FileDescriptor> open_to_read(const std::filesystem::path& path, Links links) {
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return no_ordinary_file(path);
  const int no_links = links == Links::refuse ? O_NOFOLLOW : 0;
  FileDescriptor out(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | no_links));
  if (!out.is_open()) {
    return io_error("cannot open {}: {}", quote_path(path.native()), last_error());
  }
  if (::fstat(out.get(), &info) != 0 || !S_ISREG(info.st_mode)) return no_ordinary_file(path);
  return out;
}

Expected<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes,
                                Links links) {
  VYRE_TRY(const FileDescriptor fd, open_to_read(path, links));
  std::string out;
  std::size_t room = first_chunk(fd.get(), max_bytes);
  if (room - 1 > max_bytes) {
    return bad_inputs("{} is larger than the limit of {} bytes", quote_path(path.native()),
                      max_bytes);
  }
  for (;;) {
    const std::size_t used = out.size();
    if (used == room) room += std::max(kChunkBytes, used / 2);
    const ssize_t got = read_behind(fd.get(), out, used, room);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("cannot read {}: {}", quote_path(path.native()), last_error());
    if (got == 0) return out;
    if (out.size() > max_bytes) {
      return bad_inputs("{} is larger than the limit of {} bytes", quote_path(path.native()),
                        max_bytes);
    }
  }
}

Expected<std::string> read_named_file(const std::filesystem::path& path, std::size_t max_bytes) {
  auto text = read_file(path, max_bytes);
  if (!text) text.error().message += nearest_file(path);
  return text;
}

Expected<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                                     unsigned mode) {
  const std::string temporary = temporary_name(path);
  if (write_durably(temporary, bytes, mode) && ::rename(temporary.c_str(), path.c_str()) == 0) {
    sync_folder(path);
    return {};
  }
  const std::string reason = last_error();
  ::unlink(temporary.c_str());
  return io_error("cannot write {}: {}", quote_path(path.native()), reason);
}

Expected<void> check_writable(const std::filesystem::path& path) {
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return io_error("cannot write {}: there is no folder {}; make it or choose another place",
                    quote_path(path.native()), quote_path(folder.native()));
  }
  // A folder cannot be replaced; a device can, and must not be.
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    return io_error("cannot write {}: it is no ordinary file; choose another name",
                    quote_path(path.native()));
  }
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return {};
  return io_error("cannot write {}: the folder {}: {}; choose another place",
                  quote_path(path.native()), quote_path(folder.native()), last_error());
}

}  // namespace vyre
