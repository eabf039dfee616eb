// JSON from strangers: parsed without exceptions and within limits, then looked at through Nodes
// that know where they are.

#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/error.h"

namespace vyre::recording {

using Json = nlohmann::ordered_json;

// A member of a document's outermost object; of the member that is read in pieces, one element.
struct Member {
  std::string_view name;
  std::optional<std::size_t> index;
  Json value;
};

// Gives the outermost object's members to `take` one after the other, and the elements of the
// array `in_pieces`, if any, singly, so that a large document is never in memory as a whole. Stops
// at the first error, be it of the text ("line 3, column 7: ...") or of `take`. Of two members of
// the same name in one object, the first counts.
Expected<void> stream_json(std::string_view text, std::optional<std::string_view> in_pieces,
                           const std::function<Expected<void>(Member)>& take);

// The whole document, which must be an object.
Expected<Json> parse_json(std::string_view text);

// A value and its path, for messages such as "results[3].times: expected an object". A Node
// points into its parent Node and its document, and must not outlive either.
class Node {
 public:
  // A document, or the member or element of one that `path` names.
  Node(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  const Json& json() const { return *value_; }
  bool is_text() const { return value_->is_string(); }
  std::string where() const;

  // Fails if this is not an object; nothing if it has no such member, or null there.
  Expected<std::optional<Node>> find(std::string_view key) const&;
  Expected<std::optional<Node>> find(std::string_view key) && = delete;
  // The same, but the member must be there.
  Expected<Node> at(std::string_view key) const&;
  Expected<Node> at(std::string_view key) && = delete;

  // Fails if this is not an array or, above, not an object.
  Expected<std::vector<Node>> elements() const&;
  Expected<std::vector<Node>> elements() && = delete;
  Expected<std::vector<Node>> members() const&;
  Expected<std::vector<Node>> members() && = delete;

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
  Node(const Json& value, const Node* parent, std::string_view key, std::size_t index)
      : value_(&value), parent_(parent), key_(key), index_(index) {}

  const Json* value_;
  const Node* parent_ = nullptr;
  std::string path_;  // of a Node without a parent
  std::string_view key_;
  std::size_t index_ = 0;  // if there is no key
};

}  // namespace vyre::recording
