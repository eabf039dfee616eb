// TOML as far as the cache needs it: values, a printer, and two readers that agree.
//
// `read_toml` takes any TOML: it tries the plain reader first, which knows only the spelling that
// `print_toml` gives, and hands everything else to toml++, which knows the language. The reason is
// speed: toml++ 3.3 takes 1200 ms for 10 000 decisions (4.2 MB); with the plain reader the whole
// load takes 70 to 110.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "vyre/error.h"

namespace vyre::toml {

struct Node;
using Array = std::vector<Node>;
using Table = std::vector<std::pair<std::string, Node>>;  // names ascending by bytes, each once

// Dates and times, which the cache has no use for: kept as they are spelled.
struct Other {
  std::string text;
  bool operator==(const Other&) const = default;
};

struct Node {
  std::variant<bool, std::int64_t, double, std::string, Array, Table, Other> value{false};

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
  bool operator==(const Node&) const = default;
};

const Node* find(const Table& table, std::string_view name);

// Finds or adds, at its place in the order.
Node& at(Table& table, std::string_view name);
// The same; what is there and is no table is replaced.
Table& table_at(Table& table, std::string_view name);

// Values first, then tables under headers: [a] or, for a table of tables, [a.b]; what lies deeper
// is on its line. ASCII only.
std::string print_toml(const Table& root);
std::string print_inline(const Node& node);

// `name` is the file, for messages: "NAME: line 3: ...".
Expected<Table> read_toml(std::string_view text, std::string_view name);

// None: something that print_toml would not have written.
std::optional<Table> read_plain(std::string_view text);
// toml++: any TOML, and the messages about what is none.
Expected<Table> read_full(std::string_view text, std::string_view name);

}  // namespace vyre::toml
