#include "decisions/toml_plain.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "decisions/toml_depth.h"
#include "decisions/toml_full.h"

namespace vyre::toml {
namespace {

// A code point from as many hexadecimal digits as `digits` has, upper case as print_toml spells
// them.
// kNoCode if one is no such digit.
constexpr std::uint32_t kNoCode = 0xffffffff;
std::uint32_t code_point(std::string_view digits) {
  std::uint32_t code = 0;
  for (const char c : digits) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && (c < 'A' || c > 'F')) return kNoCode;
    code = code * 16 + static_cast<std::uint32_t>(is_digit ? c - '0' : c - 'A' + 10);
  }
  return code;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { put(0x80U | ((code >> shift) & 0x3fU)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xc0U | (code >> 6U)), tail(0);
  if (code < 0x10000) return put(0xe0U | (code >> 12U)), tail(6), tail(0);
  put(0xf0U | (code >> 18U)), tail(12), tail(6), tail(0);
}

// What a byte may stand for. Most keys and digests are hexadecimal, where a branch on "digit or
// letter" would be mispredicted every other time, so the reader looks bytes up.
enum ByteKind : std::uint8_t { kBare = 1, kPlainText = 2, kEndsNumber = 4 };

constexpr std::array<std::uint8_t, 256> kKinds = [] {
  std::array<std::uint8_t, 256> out{};
  for (unsigned c = 0x20; c < 0x7f; ++c) {
    const bool is_bare = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (is_bare) out[c] |= kBare;
    if (c != '"' && c != '\\') out[c] |= kPlainText;
  }
  for (const char c : {',', ']', '}', '\n'}) out[static_cast<unsigned char>(c)] |= kEndsNumber;
  return out;
}();

bool is_kind(char c, ByteKind kind) { return (kKinds[static_cast<unsigned char>(c)] & kind) != 0; }

// How many bytes at the front are of this kind, or are not.
std::size_t length_of(std::string_view text, ByteKind kind, bool is_wanted = true) {
  std::size_t length = 0;
  while (length < text.size() && is_kind(text[length], kind) == is_wanted) ++length;
  return length;
}

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

// A date or a time: only toml++ knows which are right. None if it would spell the date otherwise.
std::optional<Other> other_value(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() > kLongest) return std::nullopt;
  const auto table = read_full("x = " + std::string(text) + "\n", "");
  const Node* node = table ? find(*table, "x") : nullptr;
  const Other* other = node == nullptr ? nullptr : node->as<Other>();
  return other != nullptr && other->text == text ? std::optional(*other) : std::nullopt;
}

class PlainReader {
 public:
  PlainReader(std::string_view text, const EntrySink& sink) : rest_(text), sink_(sink) {}

  std::optional<Table> document() {
    Table* table = &values_;
    while (!rest_.empty()) {
      if (take('\n')) continue;
      const bool is_header = take('[');
      if (is_header) table = header();
      if (is_header ? table == nullptr : !line(*table)) return std::nullopt;
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
    has_last_ = false;
    depth_ = nested ? 2 : 1;
    auto& table = std::get<Table>(tables_.back().second.value);
    if (!nested) return &table;
    Node* node = append(table, std::move(inner));
    return node == nullptr ? nullptr : &node->value.emplace<Table>();
  }

  bool key(std::string& out) {
    if (!rest_.empty() && rest_.front() == '"') return text(out);
    const std::size_t length = length_of(rest_, kBare);
    out = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return length != 0;
  }

  bool text(std::string& out) {
    out.clear();
    if (!take('"')) return false;
    for (;;) {
      const std::size_t length = length_of(rest_, kPlainText);
      out.append(rest_.substr(0, length));
      rest_.remove_prefix(length);
      if (take('"')) return true;
      if (!take('\\')) return false;
      if (take('"')) {
        out += '"';
      } else if (take('\\')) {
        out += '\\';
      } else if (!escape(out)) {
        return false;
      }
    }
  }

  // \uXXXX for a control character, \UXXXXXXXX for all beyond ASCII.
  bool escape(std::string& out) {
    const bool is_long = take('U');
    if (!is_long && !take('u')) return false;
    const std::size_t length = is_long ? 8 : 4;
    const std::uint32_t code =
        rest_.size() < length ? kNoCode : code_point(rest_.substr(0, length));
    const bool is_control = code < 0x20 || code == 0x7f;
    const bool is_wide = code >= 0x80 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (is_long ? !is_wide : !is_control) return false;
    rest_.remove_prefix(length);
    append_utf8(out, code);
    return true;
  }

  bool line(Table& table) {
    const bool is_taken = nested_ && sink_.take && tables_.back().first == sink_.outer;
    return is_taken && !inner().empty() ? taken_entry() : entry(table, depth_);
  }

  // The second name of the last header.
  const std::string& inner() const {
    return std::get<Table>(tables_.back().second.value).back().first;
  }

  // An entry for the sink. Its name must be larger than the last one's, as in any table. A file of
  // 256 MiB has hundreds of thousands of entries, so two names and one node serve all of them, and
  // keep their memory.
  bool taken_entry() {
    const std::uint64_t nodes_before = nodes_;
    if (!key(name_) || !take(" = ")) return false;
    reserved_ = kUsualSize;
    if ((has_last_ && !(last_ < name_)) || !value(entry_, depth_)) return false;
    reserved_ = 0;
    const Taken taken = sink_.take(inner(), name_, entry_);
    std::swap(last_, name_);
    has_last_ = true;
    if (taken == Taken::wholly) nodes_ = nodes_before;
    return taken != Taken::too_many;
  }

  // An empty table or list as the node's value. Those of an entry for the sink live for a moment
  // only, and get room at once for as many values as most have.
  template <class T>
  T& emptied(Node& node) {
    T* there = std::get_if<T>(&node.value);
    T& out = there != nullptr ? *there : node.value.emplace<T>();
    out.clear();
    out.reserve(reserved_);
    return out;
  }

  bool entry(Table& table, std::size_t depth) {
    std::string name;
    if (!key(name) || !take(" = ")) return false;
    Node* node = append(table, std::move(name));
    return node != nullptr && value(*node, depth);
  }

  bool value(Node& node, std::size_t depth) {
    if (rest_.empty() || ++nodes_ > sink_.most_nodes) return false;
    const bool is_nested = rest_.front() == '[' || rest_.front() == '{';
    if (is_nested && depth >= kMostDepth) return false;
    switch (rest_.front()) {
      case '"':
        return text(node.value.emplace<std::string>());
      case '[':
        return list(']', [&, &array = emptied<Array>(node)] {
          return value(array.emplace_back(), depth + 1);
        });
      case '{':
        return list('}', [&, &table = emptied<Table>(node)] { return entry(table, depth + 1); });
      case 't':
        return node.value = true, take("true");
      case 'f':
        return node.value = false, take("false");
      case 'n':
        return node.value = std::numeric_limits<double>::quiet_NaN(), take("nan");
      case 'i':
        return node.value = std::numeric_limits<double>::infinity(), take("inf");
      default:
        return number_or_date(node);
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

  bool number_or_date(Node& node) {
    const std::size_t length = length_of(rest_, kEndsNumber, false);
    const std::string_view digits = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (number(node, digits)) return true;
    const auto other = other_value(digits);
    if (other) node.value = *other;
    return other.has_value();
  }

  // A number as fmt spells it: without plus, underscores and leading zeros.
  static bool number(Node& node, std::string_view digits) {
    const std::string_view body = digits.substr(digits.starts_with('-') ? 1 : 0);
    if (digits == "-inf") return node.value = -std::numeric_limits<double>::infinity(), true;
    if (!is_digit_at(body, 0) || (body[0] == '0' && is_digit_at(body, 1))) return false;
    const char* end = digits.data() + digits.size();
    const auto parsed = [&](auto& number) {
      const auto [stop, error] = std::from_chars(digits.data(), end, number);
      return error == std::errc() && stop == end;
    };
    if (std::ranges::none_of(digits, [](char c) { return c == '.' || c == 'e'; })) {
      return parsed(node.value.emplace<std::int64_t>());
    }
    // "1." and ".5" are no TOML.
    const std::size_t point = body.find('.');
    if (point != std::string_view::npos && !is_digit_at(body, point + 1)) return false;
    return parsed(node.value.emplace<double>());
  }

  static constexpr std::size_t kUsualSize = 4;

  std::string_view rest_;
  const EntrySink& sink_;
  Table values_;
  Table tables_;
  bool nested_ = false;    // whether the last header was [a.b]
  std::size_t depth_ = 0;  // of its table
  std::string name_;       // of the entry for the sink
  Node entry_;             // and its value
  std::size_t reserved_ = 0;
  std::string last_;         // name that went to the sink
  bool has_last_ = false;    // from this table
  std::uint64_t nodes_ = 0;  // that there are
};

}  // namespace

std::optional<Table> read_plain(std::string_view text, const EntrySink& sink) {
  return PlainReader(text, sink).document();
}

}  // namespace vyre::toml
