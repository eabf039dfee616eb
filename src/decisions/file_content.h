// FileContent: the content of a file of decisions, without its spelling. docs/cache_format.md has
// the format. That page, this file and kSchema change together.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "decisions/toml.h"
#include "vyre/decisions.h"

namespace vyre {

inline constexpr std::int64_t kSchema = 3;

struct FileEntry {
  Key key = {};
  std::string identity = {};  // id; empty for a line of the original's form
  Decision decision = {};
};

struct FileContent {
  std::map<std::string, Identity> identities = {};
  std::vector<FileEntry> entries = {};
  // Unknown tables and fields, and entries that are wrong, each at its place. They are written
  // back.
  toml::Table rest = {};
  std::vector<std::string> warnings = {};  // one per skipped entry
};

// `text` may be any bytes, and `name` is the file, for messages. An error means that the file must
// be left alone.
Expected<FileContent> parse_content(std::string_view text, std::string_view name);

std::string print_content(const FileContent& content);

// The fields of one decision as they stand in the file, for exports.
toml::Table fields_of(const Decision& decision);

}  // namespace vyre
