#include "decisions/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.h"
#include "base/text.h"
#include "decisions/toml_full.h"
#include "decisions/toml_plain.h"

namespace vyre::toml {
namespace {

auto place_of(auto& table, std::string_view name) {
  return std::ranges::lower_bound(
      table, name, {}, [](const auto& entry) -> std::string_view { return entry.first; });
}

bool is_bare(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

class Printer {
 public:
  void document(const Table& root) {
    lines(root, false);
    for (const auto& [name, node] : root) {
      if (const Table* table = node.as<Table>()) section(name, *table);
    }
  }

  void node(const Node& node) {
    std::visit([this](const auto& value) { print(value); }, node.value);
  }

  std::string take() { return std::move(out_); }

 private:
  // Prints all entries, or only those that are no tables.
  void lines(const Table& table, bool with_tables) {
    for (const auto& [name, value] : table) {
      if (!with_tables && value.as<Table>() != nullptr) continue;
      entry(name, value);
      out_ += '\n';
    }
  }

  void section(const std::string& name, const Table& table) {
    const auto is_table = [](const auto& entry) { return entry.second.template as<Table>(); };
    if (table.empty() || !std::ranges::all_of(table, is_table)) {
      header(name, nullptr);
      return lines(table, true);
    }
    for (const auto& [inner, node] : table) {
      header(name, &inner);
      lines(*node.as<Table>(), true);
    }
  }

  void header(const std::string& name, const std::string* inner) {
    out_ += out_.empty() ? "[" : "\n[";
    key(name);
    if (inner != nullptr) {
      out_ += '.';
      key(*inner);
    }
    out_ += "]\n";
  }

  void entry(const std::string& name, const Node& value) {
    key(name);
    out_ += " = ";
    node(value);
  }

  void key(const std::string& name) {
    const bool bare = !name.empty() && std::ranges::all_of(name, is_bare);
    bare ? void(out_ += name) : print(name);
  }

  void print(bool value) { out_ += value ? "true" : "false"; }
  void print(std::int64_t value) { fmt::format_to(std::back_inserter(out_), "{}", value); }
  void print(const Other& value) { out_ += value.text; }

  void print(double value) {
    if (std::isnan(value)) {
      out_ += "nan";
    } else if (std::isinf(value)) {
      out_ += value > 0 ? "inf" : "-inf";
    } else {
      const std::string digits = fmt::format("{}", value);
      out_ += digits;
      if (digits.find_first_of(".e") == std::string::npos) out_ += ".0";
    }
  }

  void print(const std::string& text) {
    out_ += '"';
    for (std::size_t k = 0; k < text.size(); ++k) character(text, k);
    out_ += '"';
  }

  // Text may be any bytes. Bytes that are not UTF-8 become the replacement character.
  void character(const std::string& text, std::size_t& k) {
    const char c = text[k];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out_), "\\u{:04X}", byte);
    } else if (byte < 0x80) {
      out_ += c;
    } else {
      wide(text, k);
    }
  }

  void wide(const std::string& text, std::size_t& k) {
    constexpr std::uint32_t kReplacement = 0xfffd;
    const auto lead = static_cast<unsigned char>(text[k]);
    const std::size_t more = lead >= 0xf0 && lead < 0xf5   ? 3
                             : lead >= 0xe0 && lead < 0xf0 ? 2
                             : lead >= 0xc2 && lead < 0xe0 ? 1
                                                           : 0;
    std::uint32_t code = lead & (0x3fU >> more);
    bool valid = more != 0 && k + more < text.size();
    for (std::size_t j = 1; valid && j <= more; ++j) {
      const auto byte = static_cast<unsigned char>(text[k + j]);
      valid = (byte & 0xc0U) == 0x80;
      code = (code << 6U) | (byte & 0x3fU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    valid = valid && code >= kLeast[more] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (valid) k += more;
    fmt::format_to(std::back_inserter(out_), "\\U{:08X}", valid ? code : kReplacement);
  }

  void print(const Array& array) {
    out_ += '[';
    for (std::size_t k = 0; k < array.size(); ++k) {
      if (k != 0) out_ += ", ";
      node(array[k]);
    }
    out_ += ']';
  }

  void print(const Table& table) {
    out_ += '{';
    for (std::size_t k = 0; k < table.size(); ++k) {
      if (k != 0) out_ += ", ";
      entry(table[k].first, table[k].second);
    }
    out_ += '}';
  }

  std::string out_;
};

}  // namespace

const Node* find(const Table& table, std::string_view name) {
  const auto it = place_of(table, name);
  return it != table.end() && it->first == name ? &it->second : nullptr;
}

Node& at(Table& table, std::string_view name) {
  auto it = place_of(table, name);
  if (it == table.end() || it->first != name) it = table.emplace(it, std::string(name), Node{});
  return it->second;
}

Table& table_at(Table& table, std::string_view name) {
  Node& node = at(table, name);
  if (node.as<Table>() == nullptr) node.value = Table{};
  return std::get<Table>(node.value);
}

void shrink(Node& node) {
  if (auto* table = std::get_if<Table>(&node.value)) {
    table->shrink_to_fit();
    for (auto& [name, value] : *table) shrink(value);
  } else if (auto* array = std::get_if<Array>(&node.value)) {
    array->shrink_to_fit();
    for (Node& value : *array) shrink(value);
  }
}

std::string print_toml(const Table& root) {
  Printer printer;
  printer.document(root);
  return printer.take();
}

std::string print_inline(const Node& node) {
  Printer printer;
  printer.node(node);
  return printer.take();
}

Expected<Table> read_toml(std::string_view text, std::string_view name,
                          std::uint64_t foreign_bytes) {
  if (auto plain = read_plain(text)) return *std::move(plain);
  return read_foreign(text, name, foreign_bytes);
}

Expected<Table> read_foreign(std::string_view text, std::string_view name,
                             std::uint64_t foreign_bytes) {
  if (text.size() <= foreign_bytes) return read_full(text, name);
  return bad_inputs(
      "{}: has {} bytes in a spelling that is not vyre's, more than the limit of {}; prune it or "
      "raise the limit",
      quote_path(name), text.size(), foreign_bytes);
}

}  // namespace vyre::toml
