// The only file that knows toml++.

// toml++ 3.3 takes some malformed input for impossible: "a = [}" breaks an assertion of its parser,
// and with NDEBUG runs into undefined behaviour. So its assertions are kept in every build, and
// throw.
#undef NDEBUG
namespace {
struct BrokenAssumption {};
constexpr void assume(bool holds) {
  if (!holds) throw BrokenAssumption{};
}
}  // namespace
#define TOML_ASSERT(expr) assume(static_cast<bool>(expr))
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

Expected<Table> read_full(std::string_view text, std::string_view name) try {
  const ::toml::parse_result result = ::toml::parse(text);
  if (result) return convert_table(result.table());
  const ::toml::parse_error& error = result.error();
  return bad_inputs("{}: line {}: {}; repair or remove the file", quote(name),
                    error.source().begin.line, quote(error.description()));
} catch (const BrokenAssumption&) {
  return bad_inputs("{}: is no TOML, somewhere; repair or remove the file", quote(name));
}

}  // namespace vyre::tuner::toml
