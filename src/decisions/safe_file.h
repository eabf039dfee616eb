// The user's files, touched carefully: names that stay in their folder, no writing through links,
// one writer at a time, nothing half written.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "vyre/error.h"

namespace vyre {

// What tells one version of a file from the next: every save makes a new one.
struct FileState {
  bool exists = false;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;

  bool operator==(const FileState&) const = default;
};

// Missing is no error. A link, a folder and anything else that is no plain file are.
Expected<FileState> look_at(const std::filesystem::path& file);

// The whole file, or nothing if it is missing. More than `limit` bytes is an error.
Expected<std::string> read_carefully(const std::filesystem::path& file, std::uint64_t limit);

// All missing folders on the way, for their owner only.
Expected<void> make_folders(const std::filesystem::path& folder);

// The mode of a file that only its owner reads and writes.
inline constexpr unsigned kOwnersFile = 0600;

// Whether that name still is that open file: somebody may have removed it while we waited.
bool is_still(int fd, const std::filesystem::path& file);

// Held until destroyed, by one process (and one holder in it) at a time.
class FileLock {
 public:
  // `file`.lock; waits at most so long.
  static Expected<FileLock> take(const std::filesystem::path& file, double seconds);

  // How often the file was replaced under the lock. A file system's clock and reused inodes may
  // make two versions look alike; this number tells them apart.
  std::uint64_t version() const;
  // Before the file is replaced: a writer that is killed in between costs others one reading.
  Expected<std::uint64_t> next_version();

 private:
  explicit FileLock(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
  FileDescriptor descriptor_;
};

// What writers that were killed have left behind. Under the lock: whoever holds it is the only one.
void remove_orphans(const std::filesystem::path& file);

}  // namespace vyre
