// DecisionCache::Content: the state behind a cache, and how it is loaded, merged and saved.
//
// Loading puts four layers into one set of records. Saving reads the file again if another process
// has replaced it, merges, and writes the whole file: docs/cache_format.md has the rules.

#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/files/safe_file.h"
#include "decisions/file_content.h"
#include "decisions/records.h"

namespace vyre {

struct LoadedFile {
  FileState state;
  FileContent content;
};
Expected<LoadedFile> load_decisions(const std::filesystem::path& file, const FileLimits& limits);

struct DecisionCache::Content {
  explicit Content(CacheOptions given);

  FileLimits limits() const { return {options.limit_bytes, options.foreign_limit_bytes}; }
  void tell(EventKind kind, std::string message) const;
  void tell_warnings(const FileContent& content) const;

  // Adds all entries of a file to the records. Needs the lock, or a cache that nobody else has yet.
  void take(FileContent&& content, Layer layer);
  // Adds the layer that is built in. A text that could not be read becomes an event.
  void open_embedded();
  // Adds the layers that are only read. A file that could not be read becomes an event.
  void open_shared();
  // Adds the user's file. If it cannot be read, `load_error` says why, and nothing is written to
  // it.
  void open_users();

  // Reads a file of a layer that is only read, if it was replaced. Whether it was.
  struct SharedFile {
    Layer layer = Layer::system;
    std::filesystem::path file;
    FileState state;  // when it was last read
  };
  Expected<bool> refresh_shared(SharedFile& shared);
  // The same for the user's file, without its lock.
  Expected<bool> refresh_users();
  Expected<bool> refresh();

  // Under the lock of the file. Reads it again if somebody has replaced it since the last time.
  Expected<void> merge_from_disk(std::uint64_t version_now);
  // Reads the user's file again, and merges.
  Expected<void> read_users();
  // The content that the user's file is to have, and the records in it that it does not have yet.
  FileContent users_content(std::vector<PackedDecision*>& unsaved) const;
  Expected<void> save();

  CacheOptions options;
  std::string today;  // id of today's identity
  std::filesystem::path file;
  std::uint64_t forks;  // fork_generation() when it was opened
  std::mutex saving;    // of files, and of `shared`
  std::vector<SharedFile> shared;
  mutable std::shared_mutex mutex;  // of everything below, except for Records::find
  Records records;
  std::map<std::string, Identity> identities;
  toml::Table rest;
  FileState state;            // of the file when it was last read or written
  std::uint64_t version = 0;  // that the lock had then; 0: it was read without the lock
  std::optional<Error> load_error;
  std::atomic<std::uint64_t> generation{1};
};

}  // namespace vyre
