// JournalFile: the place of one key's journal, for one process at a time.

#pragma once

#include <filesystem>
#include <optional>

#include "base/file_descriptor.h"
#include "vyre/decisions.h"

namespace vyre {

class JournalFile {
 public:
  // Beside the cache's file. None: the cache has no file, another process is at this key, or the
  // place cannot be written; then there is nothing to resume from.
  static std::optional<JournalFile> take(const DecisionCache& cache, const Key& key);

  const std::filesystem::path& path() const { return path_; }
  // Beside it: what is being tried.
  std::filesystem::path note() const;
  // Both: nothing is left to resume.
  void remove();

 private:
  JournalFile(std::filesystem::path path, FileDescriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  std::filesystem::path path_;
  FileDescriptor descriptor_;  // holds the lock
};

// Those of keys that were decided after the last word of the journal: whoever was killed between
// saving a decision and removing its journal has left them.
void remove_old_journals(const DecisionCache& cache);

}  // namespace vyre
