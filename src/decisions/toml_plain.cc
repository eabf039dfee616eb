#include "decisions/toml_plain.h"

#include <charconv>
#include <cmath>

namespace vyre::toml {
namespace {

constexpr int kMostDepth = 16;

class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : rest_(text) {}

  std::optional<Table> document() {
    Table* table = &values_;
    while (!rest_.empty()) {
      if (take('\n')) continue;
      const bool is_header = take('[');
      if (is_header) table = header();
      if (is_header ? table == nullptr : !entry(*table, 0)) return std::nullopt;
      if (!take('\n')) return std::nullopt;
    }
    return root();
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  // Adds an entry behind all others. Null if its name is not the largest.
  static Node* append(Table& table, std::string&& name) {
    if (!table.empty() && !(table.back().first < name)) return nullptr;
    return &table.emplace_back(std::move(name), Node{}).second;
  }

  // The file has all values before all tables. A Table has both in the order of names.
  std::optional<Table> root() {
    for (auto& [name, node] : tables_) {
      if (find(values_, name) != nullptr) return std::nullopt;
      at(values_, name) = std::move(node);
    }
    return std::move(values_);
  }

  // [a], or [a.b] for a table that holds tables only.
  Table* header() {
    std::string outer;
    std::string inner;
    if (!key(outer)) return nullptr;
    const bool nested = take('.');
    if ((nested && !key(inner)) || !take(']')) return nullptr;
    if (!nested || !nested_ || tables_.back().first != outer) {
      Node* node = append(tables_, std::move(outer));
      if (node == nullptr) return nullptr;
      node->value.emplace<Table>();
    }
    nested_ = nested;
    auto& table = std::get<Table>(tables_.back().second.value);
    if (!nested) return &table;
    Node* node = append(table, std::move(inner));
    return node == nullptr ? nullptr : &node->value.emplace<Table>();
  }

  bool key(std::string& out) {
    if (!rest_.empty() && rest_.front() == '"') return text(out);
    std::size_t length = 0;
    while (length < rest_.size() && is_bare(rest_[length])) ++length;
    out = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return length != 0;
  }

  static bool is_bare(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  }

  bool text(std::string& out) {
    if (!take('"')) return false;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) break;
      if (c != '\\') {
        out += c;
      } else if (take('"')) {
        out += '"';
      } else if (take('\\')) {
        out += '\\';
      } else {
        break;
      }
    }
    return false;
  }

  bool entry(Table& table, int depth) {
    std::string name;
    if (!key(name) || !take(" = ")) return false;
    Node* node = append(table, std::move(name));
    return node != nullptr && value(*node, depth);
  }

  bool value(Node& node, int depth) {
    if (rest_.empty() || depth == kMostDepth) return false;
    switch (rest_.front()) {
      case '"':
        return text(node.value.emplace<std::string>());
      case '[':
        return list(']', [&, &array = node.value.emplace<Array>()] {
          return value(array.emplace_back(), depth + 1);
        });
      case '{':
        return list('}',
                    [&, &table = node.value.emplace<Table>()] { return entry(table, depth + 1); });
      case 't':
        return node.value = true, take("true");
      case 'f':
        return node.value = false, take("false");
      default:
        return number(node);
    }
  }

  template <class Item>
  bool list(char end, const Item& item) {
    rest_.remove_prefix(1);
    if (take(end)) return true;
    do {
      if (!item()) return false;
    } while (take(", "));
    return take(end);
  }

  // A number as fmt spells it: without plus, underscores and leading zeros.
  bool number(Node& node) {
    const std::size_t length = std::min(rest_.find_first_of(",]}\n"), rest_.size());
    const std::string_view digits = rest_.substr(0, length);
    rest_.remove_prefix(length);
    const std::string_view body = digits.substr(digits.starts_with('-') ? 1 : 0);
    if (body.empty() || body[0] < '0' || body[0] > '9') return false;
    if (body.size() > 1 && body[0] == '0' && body[1] >= '0' && body[1] <= '9') return false;
    const char* end = digits.data() + digits.size();
    const auto parsed = [&](auto& number) {
      const auto [stop, error] = std::from_chars(digits.data(), end, number);
      return error == std::errc() && stop == end;
    };
    if (digits.find_first_of(".e") == std::string_view::npos) {
      return parsed(node.value.emplace<std::int64_t>());
    }
    // "1." and ".5" are no TOML.
    const std::size_t point = body.find('.');
    const bool is_bad =
        point != std::string_view::npos &&
        (point + 1 == body.size() || body[point + 1] < '0' || body[point + 1] > '9');
    return !is_bad && parsed(node.value.emplace<double>());
  }

  std::string_view rest_;
  Table values_;
  Table tables_;
  bool nested_ = false;  // whether the last header was [a.b]
};

}  // namespace

std::optional<Table> read_plain(std::string_view text) { return PlainReader(text).document(); }

}  // namespace vyre::toml
