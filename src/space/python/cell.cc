#include "space/python/cell.h"

#include <cmath>

#include "base/check.h"

namespace vyre::space::detail {

Cell to_cell(const Value& value) {
  struct Visitor {
    Cell operator()(bool v) const { return Cell::boolean(v); }
    Cell operator()(std::int64_t v) const { return Cell::integer(v); }
    Cell operator()(double v) const { return Cell::real(v); }
    Cell operator()(const std::string& v) const { return Cell::text(&v); }
  };
  return std::visit(Visitor{}, value);
}

Value to_value(const Cell& cell) {
  VYRE_CHECK(cell.tag != Tag::sequence);
  if (cell.tag == Tag::boolean) return cell.i != 0;
  if (cell.tag == Tag::integer) return cell.i;
  if (cell.tag == Tag::real) return cell.d;
  return *cell.s;
}

bool truth(const Cell& cell) {
  if (cell.is_integral()) return cell.i != 0;
  if (cell.tag == Tag::real) return cell.d != 0.0;
  return cell.tag == Tag::text ? !cell.s->empty() : !cell.q->items.empty();
}

int compare_exactly(std::int64_t left, double right) {
  if (std::isnan(right)) return 2;
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (right >= kTwoTo63) return -1;
  if (right < -kTwoTo63) return 1;
  const double whole = std::trunc(right);
  const auto truncated = static_cast<std::int64_t>(whole);
  if (left != truncated) return left < truncated ? -1 : 1;
  if (right == whole) return 0;
  return right > whole ? -1 : 1;
}

bool equal_plain(const Cell& left, const Cell& right) {
  if (left.is_integral() && right.is_integral()) return left.i == right.i;
  if (left.is_number() && right.is_number()) {
    if (left.tag == right.tag) return left.d == right.d;
    return left.is_integral() ? compare_exactly(left.i, right.d) == 0
                              : compare_exactly(right.i, left.d) == 0;
  }
  if (left.tag != right.tag) return false;
  VYRE_CHECK(left.tag == Tag::text);
  return *left.s == *right.s;
}

std::string_view type_name(const Cell& cell) {
  switch (cell.tag) {
    case Tag::boolean:
      return "bool";
    case Tag::integer:
      return "int";
    case Tag::real:
      return "float";
    case Tag::text:
      return "text";
    case Tag::sequence:
      break;
  }
  switch (cell.q->kind) {
    case SequenceKind::list:
      return "list";
    case SequenceKind::tuple:
      return "tuple";
    case SequenceKind::range:
      return "range";
  }
  return "value";
}

}  // namespace vyre::space::detail
