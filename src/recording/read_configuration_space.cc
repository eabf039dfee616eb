#include "recording/read_configuration_space.h"

#include <cmath>
#include <unordered_set>

#include "base/error.h"
#include "base/json_value.h"
#include "base/text.h"
#include "recording/limits.h"
#include "recording/t1_fields.h"

namespace vyre::recording {
namespace {

// The value as one of the declared type, if it is one: 1 is a float and a bool, 2.0 an int.
std::optional<Value> as_int(const Value& value, bool is_unsigned) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  std::optional<std::int64_t> out;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) out = *integer;
  if (const auto* boolean = std::get_if<bool>(&value)) out = *boolean ? 1 : 0;
  if (const auto* real = std::get_if<double>(&value)) {
    if (std::abs(*real) <= kExact && std::trunc(*real) == *real) {
      out = static_cast<std::int64_t>(*real);
    }
  }
  if (!out || (is_unsigned && *out < 0)) return std::nullopt;
  return Value(*out);
}

std::optional<Value> as_float(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return Value(*real);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return Value(static_cast<double>(*integer));
  }
  return std::nullopt;
}

std::optional<Value> as_bool(const Value& value) {
  if (std::holds_alternative<bool>(value)) return value;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer == 0 || *integer == 1) return Value(*integer == 1);
  }
  return std::nullopt;
}

std::optional<Value> as_type(const Value& value, std::string_view type) {
  if (type == "int" || type == "uint") return as_int(value, type == "uint");
  if (type == "float") return as_float(value);
  if (type == "bool") return as_bool(value);
  return std::holds_alternative<std::string>(value) ? std::optional(value) : std::nullopt;
}

Expected<std::vector<Value>> listed_values(const JsonNode& node) {
  std::vector<Value> out;
  if (node.is_text()) {
    auto parsed = space::parse_values(node.json().get_ref<const std::string&>());
    if (!parsed) return bad_inputs("{}: {}", node.where(), parsed.error().message);
    return parsed;
  }
  if (!node.json().is_array()) return node.expected("a list, or text that is one in Python");
  VYRE_TRY(const std::vector<JsonNode> elements, node.elements());
  for (const JsonNode& element : elements) {
    VYRE_TRY(Value value, to_value(element));
    out.push_back(std::move(value));
  }
  return out;
}

Expected<std::vector<Value>> read_values(Fields& fields, std::string_view type) {
  VYRE_TRY(const JsonNode node, fields.at("Values"));
  VYRE_TRY(const std::vector<Value> listed, listed_values(node));
  if (listed.empty()) return node.expected("at least one value");
  std::vector<Value> out;
  std::unordered_set<Value> seen;
  for (const Value& value : listed) {
    const auto typed = as_type(value, type);
    if (!typed) return bad_inputs("{}: {} is no {}", node.where(), vyre::to_string(value), type);
    if (seen.insert(*typed).second) out.push_back(*typed);
  }
  if (out.size() < listed.size()) {
    fields.warn(fmt::format("{}: {} values are there more than once; taken once", node.where(),
                            listed.size() - out.size()));
  }
  return out;
}

// A default that is no value of the type cannot be searched from: it is dropped, with a warning.
Expected<void> read_default(Fields& fields, const space::Parameter& parameter,
                            std::string_view type, T1File& t1) {
  VYRE_TRY(const auto node, fields.find("Default"));
  if (!node) return {};
  // A list of one value, as in the hub's GEMM, stands for that value.
  const Json& json = node->json();
  const JsonNode only(json.is_array() && json.size() == 1 ? json[0] : json, node->where());
  const auto value = to_value(only);
  const auto typed = value ? as_type(*value, type) : std::nullopt;
  if (!typed) {
    fields.warn(fmt::format("{}: not of type {}; ignored", node->where(), type));
    return {};
  }
  if (!t1.declared_default) t1.declared_default.emplace();
  t1.declared_default->set(parameter.name, *typed);
  return {};
}

// Each list of values is bounded already; this bounds many long ones.
Expected<void> check_total(const JsonNode& node, const space::Parameter& last, const T1File& t1) {
  std::size_t total = last.values.size();
  for (const space::Parameter& parameter : t1.space.parameters) {
    total += parameter.values.size();
  }
  if (total <= kMostValues) return {};
  return bad_inputs("{}: more than {} values of parameters", node.where(), kMostValues);
}

Expected<void> read_parameter(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  space::Parameter parameter;
  VYRE_TRY_VOID(fields.required_text("Name", parameter.name));
  for (const space::Parameter& other : t1.space.parameters) {
    if (other.name != parameter.name) continue;
    return bad_inputs("{}: parameter {} is there twice", node.where(), quote(parameter.name));
  }
  VYRE_TRY(const JsonNode type_node, fields.at("Type"));
  VYRE_TRY(const std::string type, type_node.text());
  if (type != "int" && type != "uint" && type != "float" && type != "bool" && type != "string") {
    return type_node.expected("int, uint, float, bool or string");
  }
  VYRE_TRY(parameter.values, read_values(fields, type));
  VYRE_TRY_VOID(check_total(node, parameter, t1));
  VYRE_TRY_VOID(read_default(fields, parameter, type, t1));
  t1.space.parameters.push_back(std::move(parameter));
  return fields.keep_unknown();
}

Expected<void> read_condition(const JsonNode& node, const std::vector<std::string>& names,
                              T1File& t1) {
  Fields fields(node, t1);
  VYRE_TRY(const JsonNode expression, fields.at("Expression"));
  VYRE_TRY(const std::string text, expression.text());
  const auto compiled = space::Expression::compile(text, names);
  if (!compiled) return bad_inputs("{}: {}", expression.where(), compiled.error().message);
  t1.space.constraints.push_back(text);
  // The expression itself says which parameters it uses; the list is only read.
  std::vector<std::string> listed;
  VYRE_TRY_VOID(fields.texts("Parameters", listed));
  return fields.keep_unknown();
}

}  // namespace

Expected<void> read_configuration_space(const JsonNode& node, T1File& t1) {
  Fields fields(node, t1);
  VYRE_TRY(const JsonNode parameters, fields.at("TuningParameters"));
  VYRE_TRY(const std::vector<JsonNode> parameter_nodes, parameters.elements());
  if (parameter_nodes.empty()) return parameters.expected("at least one parameter");
  VYRE_TRY_VOID(check_count(parameters, kMostParameters));
  std::vector<std::string> names;
  for (const JsonNode& parameter : parameter_nodes) {
    VYRE_TRY_VOID(read_parameter(parameter, t1));
    names.push_back(t1.space.parameters.back().name);
  }
  VYRE_TRY(const auto conditions, fields.find("Conditions"));
  if (conditions) {
    VYRE_TRY(const std::vector<JsonNode> condition_nodes, conditions->elements());
    VYRE_TRY_VOID(check_count(*conditions, kMostParts));
    for (const JsonNode& condition : condition_nodes) {
      VYRE_TRY_VOID(read_condition(condition, names, t1));
    }
  }
  return fields.keep_unknown();
}

}  // namespace vyre::recording
