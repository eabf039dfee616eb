#include "space/python/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "space/python/arithmetic.h"

namespace vyre::space::detail {
namespace {

bool mismatch(Evaluation& evaluation, Operator op, const Cell& left, const Cell& right) {
  return evaluation.fail(fmt::format("{} does not work between {} and {}", spelling(op),
                                     type_name(left), type_name(right)));
}

bool holds(Operator op, int comparison) {
  switch (op) {
    case Operator::less:
      return comparison == -1;
    case Operator::less_equal:
      return comparison == -1 || comparison == 0;
    case Operator::greater:
      return comparison == 1;
    default:
      return comparison == 1 || comparison == 0;
  }
}

template <class T>
int three_way(const T& left, const T& right) {
  if (left < right) return -1;
  if (right < left) return 1;
  return left == right ? 0 : 2;  // 2: a NaN is involved
}

int compare_numbers(const Cell& left, const Cell& right) {
  if (left.is_integral() && right.is_integral()) return three_way(left.i, right.i);
  if (left.tag == right.tag) return three_way(left.d, right.d);
  if (left.is_integral()) return compare_exactly(left.i, right.d);
  const int mirrored = compare_exactly(right.i, left.d);
  return mirrored == 2 ? 2 : -mirrored;
}

// As Python: the first pair that differs decides, then the lengths.
bool order_sequences(Evaluation& evaluation, Operator op, const PythonSequence& left,
                     const PythonSequence& right, bool& out) {
  const std::size_t common = std::min(left.items.size(), right.items.size());
  for (std::size_t i = 0; i < common; ++i) {
    bool same = false;
    if (!equals(evaluation, left.items[i], right.items[i], same)) return false;
    if (!same) {
      return order(evaluation, op, left.items[i], right.items[i], out);
    }
  }
  out = holds(op, three_way(left.items.size(), right.items.size()));
  return true;
}

bool contains(Evaluation& evaluation, const Cell& needle, const Cell& haystack, bool& out) {
  if (haystack.tag == Tag::sequence) {
    out = false;
    for (const Cell& item : haystack.q->items) {
      if (!equals(evaluation, needle, item, out)) return false;
      if (out) break;
    }
    return true;
  }
  if (haystack.tag == Tag::text && needle.tag == Tag::text) {
    out = haystack.s->find(*needle.s) != std::string::npos;
    return evaluation.spend(haystack.s->size());
  }
  return mismatch(evaluation, Operator::in, needle, haystack);
}

bool join(Evaluation& evaluation, const Cell& left, const Cell& right, Cell& out) {
  if (left.tag == Tag::text) {
    if (!evaluation.spend(8 + left.s->size() + right.s->size())) return false;
    out = Cell::text(evaluation.pool.add(*left.s + *right.s));
    return true;
  }
  if (!evaluation.spend(8 + left.q->items.size() + right.q->items.size())) return false;
  PythonSequence* joined = evaluation.pool.add(left.q->kind);
  joined->items = left.q->items;
  joined->items.insert(joined->items.end(), right.q->items.begin(), right.q->items.end());
  out = Cell::sequence(joined);
  return true;
}

bool repeat(Evaluation& evaluation, const Cell& what, std::int64_t count, Cell& out) {
  const std::uint64_t length = what.tag == Tag::text ? what.s->size() : what.q->items.size();
  const std::uint64_t times = count < 0 ? 0 : static_cast<std::uint64_t>(count);
  std::uint64_t total = 0;
  if (__builtin_mul_overflow(length, times, &total)) {
    total = std::numeric_limits<std::uint64_t>::max() / 2;
  }
  if (!evaluation.spend(total) || !evaluation.spend(8)) return false;
  if (what.tag == Tag::text) {
    std::string repeated;
    while (repeated.size() < total) repeated += *what.s;
    out = Cell::text(evaluation.pool.add(std::move(repeated)));
    return true;
  }
  PythonSequence* repeated = evaluation.pool.add(what.q->kind);
  while (repeated->items.size() < total) {
    repeated->items.insert(repeated->items.end(), what.q->items.begin(), what.q->items.end());
  }
  out = Cell::sequence(repeated);
  return true;
}

bool repeatable(const Cell& cell) {
  return cell.tag == Tag::text ||
         (cell.tag == Tag::sequence && cell.q->kind != SequenceKind::range);
}

bool joinable(const Cell& left, const Cell& right) {
  if (!repeatable(left) || left.tag != right.tag) return false;
  return left.tag == Tag::text || left.q->kind == right.q->kind;
}

bool is_bitwise(Operator op) { return op >= Operator::bit_and && op <= Operator::bit_xor; }

bool arithmetic(Evaluation& evaluation, Operator op, const Cell& left, const Cell& right,
                Cell& out) {
  if (left.is_integral() && right.is_integral()) {
    const bool stays_bool = is_bitwise(op) && left.tag == Tag::boolean && right.tag == Tag::boolean;
    if (!integer_operation(evaluation, op, left.i, right.i, out)) return false;
    if (stays_bool) out = Cell::boolean(out.i != 0);
    return true;
  }
  if (left.is_number() && right.is_number() && op <= Operator::power) {
    return real_operation(evaluation, op, left.as_real(), right.as_real(), out);
  }
  if (op == Operator::add && joinable(left, right)) return join(evaluation, left, right, out);
  if (op == Operator::multiply && repeatable(left) && right.is_integral()) {
    return repeat(evaluation, left, right.i, out);
  }
  if (op == Operator::multiply && repeatable(right) && left.is_integral()) {
    return repeat(evaluation, right, left.i, out);
  }
  return mismatch(evaluation, op, left, right);
}

}  // namespace

std::string_view spelling(Operator op) {
  static constexpr std::string_view kSpellings[] = {
      "+", "-",  "*", "/",  "//", "%",  "**", "&",      "|", "^", "<<", ">>",
      "<", "<=", ">", ">=", "==", "!=", "in", "not in", "-", "+", "~"};
  return kSpellings[static_cast<std::size_t>(op)];
}

// Lists may share parts many times over, so a comparison is charged per element.
bool equals(Evaluation& evaluation, const Cell& left, const Cell& right, bool& out) {
  if (!evaluation.spend(1)) return false;
  if (left.tag != Tag::sequence || right.tag != Tag::sequence) {
    out = equal_plain(left, right);
    return true;
  }
  out = left.q->kind == right.q->kind && left.q->items.size() == right.q->items.size();
  for (std::size_t i = 0; out && i < left.q->items.size(); ++i) {
    if (!equals(evaluation, left.q->items[i], right.q->items[i], out)) return false;
  }
  return true;
}

bool order(Evaluation& evaluation, Operator op, const Cell& left, const Cell& right, bool& out) {
  if (left.is_number() && right.is_number()) {
    out = holds(op, compare_numbers(left, right));
    return true;
  }
  if (left.tag != right.tag) return mismatch(evaluation, op, left, right);
  if (left.tag == Tag::text) {
    out = holds(op, three_way(*left.s, *right.s));
    return true;
  }
  if (left.q->kind != right.q->kind || left.q->kind == SequenceKind::range) {
    return mismatch(evaluation, op, left, right);
  }
  return order_sequences(evaluation, op, *left.q, *right.q, out);
}

bool binary(Evaluation& evaluation, Operator op, const Cell& left, const Cell& right, Cell& out) {
  if (op < Operator::less) return arithmetic(evaluation, op, left, right, out);
  bool result = false;
  bool done = true;
  if (op == Operator::equal || op == Operator::not_equal) {
    done = equals(evaluation, left, right, result);
    result = result == (op == Operator::equal);
  } else if (op == Operator::in || op == Operator::not_in) {
    done = contains(evaluation, left, right, result);
    result = result == (op == Operator::in);
  } else {
    done = order(evaluation, op, left, right, result);
  }
  if (done) out = Cell::boolean(result);
  return done;
}

bool unary(Evaluation& evaluation, Operator op, const Cell& operand, Cell& out) {
  if (operand.is_integral()) {
    if (op == Operator::negate && operand.i == std::numeric_limits<std::int64_t>::min()) {
      return evaluation.fail(fmt::format("-({}) does not fit into 64 bits", operand.i));
    }
    const std::int64_t value = operand.i;
    out = Cell::integer(op == Operator::negate ? -value : op == Operator::plus ? value : ~value);
    return true;
  }
  if (operand.tag == Tag::real && op != Operator::invert) {
    out = Cell::real(op == Operator::negate ? -operand.d : operand.d);
    return true;
  }
  return evaluation.fail(fmt::format("{} does not work on {}", spelling(op), type_name(operand)));
}

}  // namespace vyre::space::detail
