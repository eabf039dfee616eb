// The only file that knows toml++.

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 1
#include <toml++/toml.h>

#include <sstream>

#include "base/error.h"
#include "base/text.h"
#include "tuner/cache/toml.h"

namespace vyre::tuner::toml {
namespace {

Node convert(const ::toml::node& node);

Table convert_table(const ::toml::table& table) {
  Table out;
  for (const auto& [key, value] : table) out.emplace_back(std::string(key.str()), convert(value));
  return out;
}

Node convert(const ::toml::node& node) {
  if (const auto* table = node.as_table()) return {convert_table(*table)};
  if (const auto* array = node.as_array()) {
    Array out;
    for (const ::toml::node& element : *array) out.push_back(convert(element));
    return {std::move(out)};
  }
  if (const auto* text = node.as_string()) return {text->get()};
  if (const auto* integer = node.as_integer()) return {integer->get()};
  if (const auto* real = node.as_floating_point()) return {real->get()};
  if (const auto* boolean = node.as_boolean()) return {boolean->get()};
  std::ostringstream spelled;
  node.visit([&](const auto& value) {
    if constexpr (::toml::is_chronological<decltype(value)>) spelled << value.get();
  });
  return {Other{spelled.str()}};
}

}  // namespace

Expected<Table> read_full(std::string_view text, std::string_view name) {
  const ::toml::parse_result result = ::toml::parse(text);
  if (!result) {
    const ::toml::parse_error& error = result.error();
    return bad_inputs("{}: line {}: {}; repair or remove the file", quote(name),
                      error.source().begin.line, quote(error.description()));
  }
  return convert_table(result.table());
}

}  // namespace vyre::tuner::toml
