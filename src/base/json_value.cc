#include "base/json_value.h"

#include "base/error.h"

namespace vyre {

Expected<Value> to_value(const JsonNode& node) {
  const Json& json = node.json();
  if (json.is_string()) return Value(json.get_ref<const std::string&>());
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number_float()) return Value(json.get<double>());
  if (!json.is_number()) return node.expected("text, a number, true or false");
  VYRE_TRY(const std::int64_t integer, node.integer());
  return Value(integer);
}

Json to_json(const Value& value) {
  return std::visit([](const auto& plain) { return Json(plain); }, value);
}

Expected<Config> to_config(const JsonNode& node) {
  VYRE_TRY(const std::vector<JsonNode> members, node.members());
  Config out;
  auto name = node.json().begin();
  for (const JsonNode& member : members) {
    VYRE_TRY(Value value, to_value(member));
    out.set(name.key(), std::move(value));
    ++name;
  }
  return out;
}

Json to_json(const Config& config) {
  Json out = Json::object();
  for (const auto& [name, value] : config.entries()) out[name] = to_json(value);
  return out;
}

}  // namespace vyre
