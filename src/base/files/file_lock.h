// LockedFile and FileLock: exclusive use of a file, for one holder in one process at a time.
//
// The lock is flock's: it belongs to the open file, which a forked child shares. So a holder lets
// go of the lock explicitly, and a child closes its copy at once (base/fork.h): neither a child
// that lives longer than a save, nor a parent that is killed, leaves the lock behind.

#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>

#include "base/files/file_descriptor.h"
#include "vyre/error.h"

namespace vyre {

// An open file with its lock, until it is destroyed.
class LockedFile {
 public:
  // Does not wait. The error is errno's number: EWOULDBLOCK if somebody else has the lock.
  static std::expected<LockedFile, int> try_lock(FileDescriptor descriptor);

  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  ~LockedFile();

  int get() const { return descriptor_.get(); }

 private:
  explicit LockedFile(FileDescriptor descriptor);
  void let_go();

  FileDescriptor descriptor_;
  std::uint64_t generation_ = 0;  // of the process that holds it
};

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
  explicit FileLock(LockedFile file) : file_(std::move(file)) {}
  LockedFile file_;
};

}  // namespace vyre
