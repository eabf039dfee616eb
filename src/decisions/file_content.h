// FileContent: what a file of decisions says, without its spelling. docs/cache_format.md has the
// format; change both and kSchema together.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "decisions/toml.h"
#include "vyre/decisions.h"

namespace vyre {

inline constexpr std::int64_t kSchema = 2;

struct FileEntry {
  Key key = {};
  std::string identity = {};  // id; empty for a line of the original's form
  Decision decision = {};
};

struct FileContent {
  std::map<std::string, Identity> identities = {};
  std::vector<FileEntry> entries = {};
  // What we do not understand, at its place: tables, fields, entries that are wrong. Written back.
  toml::Table rest = {};
  std::vector<std::string> warnings = {};  // one per skipped entry
};

// `name`: the file, for messages. Any bytes; an error means that the file must be left alone.
Expected<FileContent> parse_content(std::string_view text, std::string_view name);

std::string print_content(const FileContent& content);

// Fields of one decision, as in the file, for exports.
toml::Table fields_of(const Decision& decision);

}  // namespace vyre
