// JsonNode: a JSON value that knows its place in the document, for error messages.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace vyre {

// A value and its path, for messages such as "results[3].times: expected an object". A JsonNode
// points into its parent and its document, and must not outlive either.
class JsonNode {
 public:
  // A document, or the member or element of one that `path` names.
  JsonNode(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  const Json& json() const { return *value_; }
  bool is_text() const { return value_->is_string(); }
  std::string where() const;

  // Fails if this is not an object; nothing if it has no such member, or null there.
  Expected<std::optional<JsonNode>> find(std::string_view key) const&;
  Expected<std::optional<JsonNode>> find(std::string_view key) && = delete;
  // The same, but the member must be there.
  Expected<JsonNode> at(std::string_view key) const&;
  Expected<JsonNode> at(std::string_view key) && = delete;

  // Fails if this is not an array or, above, not an object.
  Expected<std::vector<JsonNode>> elements() const&;
  Expected<std::vector<JsonNode>> elements() && = delete;
  Expected<std::vector<JsonNode>> members() const&;
  Expected<std::vector<JsonNode>> members() && = delete;

  Expected<std::string> text() const;
  Expected<double> number() const;
  Expected<std::int64_t> integer() const;
  Expected<bool> boolean() const;
  Expected<std::vector<double>> numbers() const;
  Expected<std::vector<std::string>> texts() const;

  std::string_view key() const { return key_; }

  // An error about this value: "results[3].times: expected an object".
  std::unexpected<Error> expected(std::string_view what) const;

 private:
  JsonNode(const Json& value, const JsonNode* parent, std::string_view key, std::size_t index)
      : value_(&value), parent_(parent), key_(key), index_(index) {}

  const Json* value_;
  const JsonNode* parent_ = nullptr;
  std::string path_;  // of a JsonNode without a parent
  std::string_view key_;
  std::size_t index_ = 0;  // if there is no key
};

}  // namespace vyre
