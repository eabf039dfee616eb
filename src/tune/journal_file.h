// JournalFile: the place of one key's journal, for one process at a time.

#pragma once

#include <filesystem>
#include <optional>

#include "base/files/file_descriptor.h"
#include "vyre/error.h"

namespace vyre {

class JournalFile {
 public:
  // None: another process is at this key. An error: the place cannot be written.
  static Expected<std::optional<JournalFile>> take(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

 private:
  JournalFile(std::filesystem::path path, FileDescriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  std::filesystem::path path_;
  FileDescriptor descriptor_;  // holds the lock
};

}  // namespace vyre
