// Cell: a value while an expression is evaluated, 16 bytes and freely copied. A cell points to its
// text or sequence; a Pool, the code's constants or the caller's values own them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/config.h"

namespace vyre::space::detail {

// In this order, `tag <= Tag::integer` means that Python's int operations take the value.
enum class Tag : std::uint8_t { boolean, integer, real, text, sequence };
enum class SequenceKind : std::uint8_t { list, tuple, range };

struct PythonSequence;

struct Cell {
  Tag tag = Tag::integer;
  union {
    std::int64_t i = 0;  // boolean: 0 or 1
    double d;
    const std::string* s;
    const PythonSequence* q;
  };

  static Cell boolean(bool value) { return of_bits(Tag::boolean, value ? 1 : 0); }
  static Cell integer(std::int64_t value) { return of_bits(Tag::integer, value); }
  static Cell real(double value) {
    Cell cell;
    cell.tag = Tag::real;
    cell.d = value;
    return cell;
  }
  static Cell text(const std::string* value) {
    Cell cell;
    cell.tag = Tag::text;
    cell.s = value;
    return cell;
  }
  static Cell sequence(const PythonSequence* value) {
    Cell cell;
    cell.tag = Tag::sequence;
    cell.q = value;
    return cell;
  }

  bool is_integral() const { return tag <= Tag::integer; }
  bool is_number() const { return tag <= Tag::real; }
  double as_real() const { return tag == Tag::real ? d : static_cast<double>(i); }

 private:
  static Cell of_bits(Tag tag, std::int64_t bits) {
    Cell cell;
    cell.tag = tag;
    cell.i = bits;
    return cell;
  }
};

struct PythonSequence {
  PythonSequence(SequenceKind what, std::vector<Cell> elements)
      : kind(what), items(std::move(elements)) {}
  SequenceKind kind;
  std::vector<Cell> items;
};

// Owns what cells point to; addresses stay valid as it grows.
class Pool {
 public:
  const std::string* add(std::string text) {
    return texts_.emplace_back(std::make_unique<std::string>(std::move(text))).get();
  }
  PythonSequence* add(SequenceKind kind) {
    return sequences_.emplace_back(std::make_unique<PythonSequence>(kind, std::vector<Cell>()))
        .get();
  }
  void clear() {
    texts_.clear();
    sequences_.clear();
  }

 private:
  // Vectors of pointers, not deques: an evaluation that makes no lists must not allocate.
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::unique_ptr<PythonSequence>> sequences_;
};

// Text cells point into `value`.
Cell to_cell(const Value& value);

// The cell must not be a sequence.
Value to_value(const Cell& cell);

bool truth(const Cell& cell);

// Python's == where not both are sequences.
bool equal_plain(const Cell& left, const Cell& right);

// "int", "bool", "float", "text", "list", "tuple" or "range": for messages.
std::string_view type_name(const Cell& cell);

// -1, 0 or 1 as left is below, equal to or above right, or 2 if right is not a number. Exact: the
// integer is never rounded.
int compare_exactly(std::int64_t left, double right);

}  // namespace vyre::space::detail
