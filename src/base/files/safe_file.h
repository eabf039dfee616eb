// Careful access to the user's files: nothing is written through links, there is one writer at a
// time, and no file is ever half written.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "vyre/error.h"

namespace vyre {

// The facts that tell one version of a file from the next. Every save makes a new version.
struct FileState {
  bool exists = false;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;

  bool operator==(const FileState&) const = default;
};

// A missing file is no error. A link, a folder and anything else that is no plain file are errors.
Expected<FileState> look_at(const std::filesystem::path& file);

// The whole file; empty if it is missing. More than `limit` bytes are an error.
Expected<std::string> read_carefully(const std::filesystem::path& file, std::uint64_t limit);

// Makes the folder and all missing ones above it, accessible to their owner only.
Expected<void> make_folders(const std::filesystem::path& folder);

// The mode of a file that only its owner reads and writes.
inline constexpr unsigned kOwnersFile = 0600;

// Whether `file` still names the open file. Another process may have removed it while we waited.
bool is_still(int fd, const std::filesystem::path& file);

// A lock that one holder in one process has at a time, until it is destroyed.
class FileLock {
 public:
  // Locks "<file>.lock". Fails if that takes longer than `seconds`.
  static Expected<FileLock> take(const std::filesystem::path& file, double seconds);

  // How often the file was replaced under the lock. Two versions of a file may have the same inode
  // and time; this number tells them apart.
  std::uint64_t version() const;
  // To be called before the file is replaced. If the writer is killed in between, other processes
  // read the file once more than they must.
  Expected<std::uint64_t> next_version();

 private:
  explicit FileLock(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}
  FileDescriptor descriptor_;
};

// Removes temporary files that killed writers have left. Needs the lock, so that no other writer is
// at work.
void remove_orphans(const std::filesystem::path& file);

}  // namespace vyre
