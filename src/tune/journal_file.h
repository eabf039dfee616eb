// JournalFile: the place of one key's journal, for one process at a time.

#pragma once

#include <filesystem>
#include <optional>

#include "base/files/file_lock.h"
#include "vyre/error.h"

namespace vyre {

class JournalFile {
 public:
  // None: another process is at this key. An error: the place cannot be written.
  static Expected<std::optional<JournalFile>> take(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

 private:
  JournalFile(std::filesystem::path path, LockedFile file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::filesystem::path path_;
  LockedFile file_;
};

}  // namespace vyre
