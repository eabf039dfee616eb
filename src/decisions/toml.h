// TOML as far as the cache needs it: values, a printer and a reader.
//
// `read_toml` takes any TOML. It first tries the plain reader (toml_plain.h), which knows only the
// spelling of `print_toml`, and hands every other text to toml++ (toml_full.h). The reason is
// speed: toml++ 3.3 takes 1200 ms for 10 000 decisions (4.2 MB), and a load with the plain reader
// takes 70 to 110 ms in all.

#pragma once

#include <cstdint>
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

// Dates and times. The cache has no use for them, and keeps their spelling.
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

// Finds the entry, or adds it at its place in the order.
Node& at(Table& table, std::string_view name);
// The same for a table. A value of another type is replaced by an empty table.
Table& table_at(Table& table, std::string_view name);

// Gives back the memory that the tables and lists within have for growing.
void shrink(Node& node);

// Prints values first, then tables under headers: [a] or, for a table of tables, [a.b]. Deeper
// tables are printed inline. ASCII only.
std::string print_toml(const Table& root);
std::string print_inline(const Node& node);

// `name` is the file, for messages such as "NAME: line 3: ...". A text in another spelling than
// print_toml's may have `foreign_bytes`: toml++ takes 0.6 s and 130 MB for 8 MiB of it. Tables
// and lists within each other are limited (toml_depth.h).
Expected<Table> read_toml(std::string_view text, std::string_view name,
                          std::uint64_t foreign_bytes);
// The second half of it: for a text that the plain reader does not take.
Expected<Table> read_foreign(std::string_view text, std::string_view name,
                             std::uint64_t foreign_bytes);

}  // namespace vyre::toml
