#include "base/json_node.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

// Plain names stay as they are, so that a path reads well; anything else is quoted.
std::string path_part(std::string_view key) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  constexpr std::size_t kMostBytes = 60;
  const bool readable = !key.empty() && key.size() <= kMostBytes && std::ranges::all_of(key, plain);
  return readable ? std::string(key) : quote(key);
}

}  // namespace

std::string JsonNode::where() const {
  if (parent_ == nullptr) return path_;
  const std::string before = parent_->where();
  if (key_.data() == nullptr) return fmt::format("{}[{}]", before, index_);
  return before.empty() ? path_part(key_) : fmt::format("{}.{}", before, path_part(key_));
}

std::unexpected<Error> JsonNode::expected(std::string_view what) const {
  const std::string place = where();
  if (place.empty()) return bad_inputs("expected {}", what);
  return bad_inputs("{}: expected {}", place, what);
}

Expected<std::optional<JsonNode>> JsonNode::find(std::string_view key) const& {
  if (!value_->is_object()) return expected("an object");
  for (const auto& [name, value] : value_->get_ref<const Json::object_t&>()) {
    if (name != key) continue;
    if (value.is_null()) break;
    return JsonNode(value, this, name, 0);
  }
  return std::nullopt;
}

Expected<JsonNode> JsonNode::at(std::string_view key) const& {
  VYRE_TRY(const auto found, find(key));
  if (found) return *found;
  const std::string place = where();
  return bad_inputs("{}{}{}: missing", place, place.empty() ? "" : ".", path_part(key));
}

Expected<std::vector<JsonNode>> JsonNode::elements() const& {
  if (!value_->is_array()) return expected("a list");
  std::vector<JsonNode> out;
  out.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    out.push_back(JsonNode((*value_)[i], this, std::string_view(), i));
  }
  return out;
}

Expected<std::vector<JsonNode>> JsonNode::members() const& {
  if (!value_->is_object()) return expected("an object");
  std::vector<JsonNode> out;
  out.reserve(value_->size());
  for (const auto& [name, value] : value_->get_ref<const Json::object_t&>()) {
    out.push_back(JsonNode(value, this, name, 0));
  }
  return out;
}

Expected<std::string> JsonNode::text() const {
  if (!value_->is_string()) return expected("text");
  return value_->get_ref<const std::string&>();
}

Expected<double> JsonNode::number() const {
  if (!value_->is_number()) return expected("a number");
  return value_->get<double>();
}

Expected<std::int64_t> JsonNode::integer() const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!value_->is_number_integer()) return expected("an integer");
  if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > kMost) {
    return expected("an integer of 64 bits");
  }
  return value_->get<std::int64_t>();
}

Expected<bool> JsonNode::boolean() const {
  if (!value_->is_boolean()) return expected("true or false");
  return value_->get<bool>();
}

Expected<std::vector<double>> JsonNode::numbers() const {
  if (!value_->is_array()) return expected("a list of numbers");
  std::vector<double> out;
  out.reserve(value_->size());
  for (const Json& element : *value_) {
    if (!element.is_number()) return expected("a list of numbers");
    out.push_back(element.get<double>());
  }
  return out;
}

Expected<std::vector<std::string>> JsonNode::texts() const {
  if (!value_->is_array()) return expected("a list of texts");
  std::vector<std::string> out;
  out.reserve(value_->size());
  for (const Json& element : *value_) {
    if (!element.is_string()) return expected("a list of texts");
    out.push_back(element.get_ref<const std::string&>());
  }
  return out;
}

}  // namespace vyre
