// Careful access to the files that vyre keeps for a user: nothing is read or written through links,
// and nothing but plain files is opened.

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

// Makes the folder and all missing ones above it, accessible to their owner only, whatever the
// process's mask.
Expected<void> make_folders(const std::filesystem::path& folder);

// Opens a file of ours, or makes it. Never waits, follows no link, and takes plain files only. Only
// its owner can read and write it then, whatever the process's mask. The message is the reason
// alone. `flags`: O_RDWR, or O_WRONLY | O_APPEND.
Expected<FileDescriptor> open_own(const std::filesystem::path& file, int flags);

// Whether `file` still names the open file. Another process may have removed it while we waited.
bool is_still(int fd, const std::filesystem::path& file);

// Removes temporary files that killed writers have left. Needs the lock, so that no other writer is
// at work.
void remove_orphans(const std::filesystem::path& file);

}  // namespace vyre
