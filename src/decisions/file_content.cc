#include "decisions/file_content.h"

#include <algorithm>

#include "base/check.h"
#include "base/error.h"
#include "base/files/whole_file.h"
#include "base/text.h"
#include "decisions/fields.h"
#include "decisions/toml_plain.h"

namespace vyre {
namespace {

// Beyond the decisions of today's form. A line of the original's form has four.
constexpr std::uint64_t kMostNodes = 3'000'000;

using toml::Array;
using toml::Node;
using toml::Table;

// Takes a document apart, from the outside in. Parts that it cannot use go to `rest`.
class ContentParser {
 public:
  explicit ContentParser(std::string_view name) : name_(name) {}

  Expected<FileContent> parse(Table&& root) {
    VYRE_TRY_VOID(check_schema(root));
    for (auto& [name, node] : root) {
      auto* table = std::get_if<Table>(&node.value);
      if (name == "schema") continue;
      if (name == "identities" && table != nullptr) {
        identities(*table);
      } else if (name == "decisions" && table != nullptr) {
        decisions(*table);
      } else if (table != nullptr && !parse_key(name)) {
        at(out_.rest, name) = std::move(node);
      } else {
        original_line(name, node);
      }
    }
    return std::move(out_);
  }

  // One of [decisions.ID]. False: some of it stays as it is, without the room that it had to grow.
  bool decision(const std::string& id, const std::string& name, Node& node) {
    const auto keep = [&](Node&& what) {
      shrink(what);
      at(table_at(table_at(out_.rest, "decisions"), id), name) = std::move(what);
      return false;
    };
    const auto key = parse_key(name);
    auto* fields = std::get_if<Table>(&node.value);
    if (!key || fields == nullptr) {
      skip(name, key ? "it is no table" : "its key is not \"v1-\" or \"v2-\" and 64 digits");
      return keep(std::move(node));
    }
    auto read = read_decision(*fields);
    if (!read) {
      skip(name, read.error().message);
      return keep(std::move(node));
    }
    if (key->version == 1 && !workgroup_of(read->config)) {
      skip(name, "its config is no workgroup size");
      merge_fields(*fields, fields_of(*read));  // read_decision has taken them out
      return keep(std::move(node));
    }
    out_.entries.push_back({.key = *key, .identity = id, .decision = *std::move(read)});
    return fields->empty() || keep({std::move(*fields)});
  }

  const FileContent& content() const { return out_; }

 private:
  Expected<void> check_schema(const Table& root) const {
    const Node* schema = find(root, "schema");
    if (schema == nullptr) return {};
    const auto* number = schema->as<std::int64_t>();
    if (number != nullptr && *number >= 1 && *number <= kSchema) return {};
    return bad_inputs("{}: schema {} is not one of 1 to {}; use a newer vyre, or remove the file",
                      quote_path(name_), toml::print_inline(*schema), kSchema);
  }

  void skip(std::string_view entry, std::string_view why) {
    out_.warnings.push_back(
        fmt::format("{}: entry {} is skipped and kept: {}", quote_path(name_), quote(entry), why));
  }

  // "key" = [x, y, z]
  void original_line(const std::string& name, Node& node) {
    const auto key = parse_key(name);
    const auto size = workgroup_from(node);
    if (key && key->version == 1 && size) {
      out_.entries.push_back({.key = *key, .decision = {.config = workgroup_config(*size)}});
      return;
    }
    skip(name, key && key->version == 1 ? "it is not three integers from 1 to 4294967295"
                                        : "its key is not \"v1-\" and 64 lower-case digits");
    at(out_.rest, name) = std::move(node);
  }

  void identities(Table& table) {
    for (auto& [id, node] : table) {
      auto* fields = std::get_if<Table>(&node.value);
      auto identity = fields == nullptr ? std::nullopt : read_identity(*fields);
      if (!identity) {
        skip(id, "it is no identity");
        at(table_at(out_.rest, "identities"), id) = std::move(node);
        continue;
      }
      out_.identities.emplace(id, *std::move(identity));
      if (!fields->empty()) at(table_at(out_.rest, "identities"), id).value = std::move(*fields);
    }
  }

  void decisions(Table& table) {
    for (auto& [id, node] : table) {
      auto* entries = std::get_if<Table>(&node.value);
      if (entries == nullptr || id.empty()) {
        skip(id, "it is no table of decisions");
        at(table_at(out_.rest, "decisions"), id) = std::move(node);
        continue;
      }
      for (auto& [key, entry] : *entries) decision(id, key, entry);
    }
  }

  std::string_view name_;
  FileContent out_;
};

// `place` has fields that were not understood: unknown ones, which stay, or an entry that was wrong
// and would make this one wrong too.
void put_decision(Table& place, const Decision& decision) {
  const bool is_alone = place.empty();
  merge_fields(place, fields_of(decision));
  if (is_alone) return;
  Table copy = place;
  if (!read_decision(copy)) place = fields_of(decision);
}

}  // namespace

Expected<FileContent> parse_content(std::string_view text, std::string_view name,
                                    const FileLimits& limits) {
  ContentParser plain(name);
  const auto take = [&](const std::string& id, const std::string& key, Node& node) {
    using enum toml::Taken;
    if (plain.content().entries.size() == limits.decisions) return too_many;
    return plain.decision(id, key, node) ? wholly : partly;
  };
  auto root = toml::read_plain(text, {"decisions", take, kMostNodes});
  if (root) return plain.parse(*std::move(root));
  if (plain.content().entries.size() == limits.decisions) {
    return bad_inputs("{}: has more than {} decisions; prune it", quote_path(name),
                      limits.decisions);
  }
  VYRE_TRY(Table foreign, toml::read_foreign(text, name, limits.foreign_bytes));
  return ContentParser(name).parse(std::move(foreign));
}

std::string print_content(FileContent& content) {
  Table root = content.rest;
  at(root, "schema").value = kSchema;
  for (const auto& [id, identity] : content.identities) {
    merge_fields(table_at(table_at(root, "identities"), id), fields_of(identity));
  }
  content.entries.sort();
  content.entries.for_each([&](const FileEntry& entry) {
    const std::string key = to_string(entry.key);
    if (entry.identity.empty()) {
      const auto size = workgroup_of(entry.decision.config);
      VYRE_CHECK(size.has_value());
      at(root, key) = workgroup_node(*size);
    } else {
      Table& table = table_at(table_at(root, "decisions"), entry.identity);
      put_decision(table_at(table, key), entry.decision);
    }
  });
  return toml::print_toml(root);
}

Expected<std::uint64_t> publish_content(const std::filesystem::path& file, FileLock& lock,
                                        FileContent& content, const FileLimits& limits) {
  const std::string text = print_content(content);
  if (text.size() > limits.bytes) {
    return bad_inputs(
        "{} would have {} bytes, more than the limit of {}; prune it or raise the limit",
        quote_path(file.native()), text.size(), limits.bytes);
  }
  const auto again = parse_content(text, file.native(), limits);
  if (!again || again->entries.size() != content.entries.size() ||
      again->identities.size() != content.identities.size()) {
    return bad_inputs(
        "nothing is saved in {}: the text could not be read again; keep the names in "
        "configurations "
        "to UTF-8",
        quote_path(file.native()));
  }
  VYRE_TRY(const std::uint64_t version, lock.next_version());
  VYRE_TRY_VOID(write_file_atomically(file, text, kOwnersFile));
  return version;
}

}  // namespace vyre
