// FileContent: the content of a file of decisions, without its spelling. docs/cache_format.md has
// the format. That page, this file and kSchema change together.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_lock.h"
#include "decisions/file_entries.h"
#include "decisions/toml.h"
#include "vyre/decisions.h"

namespace vyre {

inline constexpr std::int64_t kSchema = 3;

struct FileContent {
  std::map<std::string, Identity> identities = {};
  FileEntries entries = {};
  // Unknown tables and fields, and entries that are wrong, each at its place. They are written
  // back.
  toml::Table rest = {};
  std::vector<std::string> warnings = {};  // one per skipped entry
};

// Of a file, in bytes; exactly so many are accepted.
struct FileLimits {
  std::uint64_t bytes = CacheOptions{}.limit_bytes;
  std::uint64_t foreign_bytes = CacheOptions{}.foreign_limit_bytes;
  std::size_t decisions = 750'000;
};

// `text` may be any bytes, and `name` is the file, for messages. An error means that the file must
// be left alone.
Expected<FileContent> parse_content(std::string_view text, std::string_view name,
                                    const FileLimits& limits = {});

std::string print_content(FileContent& content);  // sorts the entries

// Replaces the file, under its lock. The text is read back first: a text that cannot be read again,
// or is larger than the limit, is an error, and nothing is written. Returns the file's new version.
Expected<std::uint64_t> publish_content(const std::filesystem::path& file, FileLock& lock,
                                        FileContent& content, const FileLimits& limits);

// The fields of one decision as they stand in the file, for exports.
toml::Table fields_of(const Decision& decision);

}  // namespace vyre
