#include "bounds/values.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::bounds {
namespace {

using ir::Expr;
using ir::ExprId;
using ir::IdKind;
using ir::Op;
using ir::Scalar;

constexpr Int kMostU32 = std::numeric_limits<std::uint32_t>::max();

bool is_integer_scalar(ir::Type type) { return ir::is_integer(type) && !ir::is_vector(type); }

// The integer that the bits of a constant stand for.
Poly constant(Scalar type, std::uint64_t value) {
  if (type == Scalar::i32) return Poly(static_cast<std::int32_t>(value));
  if (type == Scalar::i64) return Poly(static_cast<std::int64_t>(value));
  return Poly(Int{value});
}

}  // namespace

Values::Values(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
               const std::array<std::uint32_t, 3>& workgroup, Facts& facts, Proofs& proofs)
    : program_(program),
      symbols_(symbols),
      workgroup_(workgroup),
      facts_(facts),
      proofs_(proofs),
      operations_(program, facts, proofs),
      ids_(std::size_t{ir::kIdKinds} * 3),
      variables_(program.variables.size(), Poly::unknown()),
      conditions_(program.variables.size()) {
  declare_ids();
  declare_lengths();
}

// Dispatch lets at most 2^32 - 1 invocations run on each axis.
void Values::declare_ids() {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Int size = workgroup_[axis];
    const auto at = [&](IdKind kind) -> Poly& { return ids_[ir::id_index(kind, axis)]; };
    at(IdKind::local_size) = Poly(size);
    at(IdKind::local_id) = size == 1 ? Poly(0) : Poly::of(facts_.new_atom({0, size - 1}));
    at(IdKind::groups) = Poly::of(facts_.new_atom({1, kMostU32 / size}));
    at(IdKind::global_size) = Poly(size) * at(IdKind::groups);
    at(IdKind::group_id) = Poly::of(facts_.new_atom({0, kMostU32 / size - 1}));
    at(IdKind::global_id) = Poly::of(facts_.new_atom({0, kMostU32 - 1}));
    const Poly sum = Poly(size) * at(IdKind::group_id) + at(IdKind::local_id);
    facts_.assume(at(IdKind::global_id) - sum);
    facts_.assume(sum - at(IdKind::global_id));
    facts_.assume(at(IdKind::groups) - at(IdKind::group_id) - Poly(1));
  }
}

// A bound buffer has at least one element and at most 2^32 - 1, and its length is computed without
// wrapping: dispatch refuses everything else.
void Values::declare_lengths() {
  for (const ir::Buffer& b : program_.buffers) {
    operations_.never_wraps = ir::is_bound(b.access);
    const Poly length = visit(b.length);
    if (!ir::is_bound(b.access)) {
      lengths_.push_back(Poly(Int{ir::fold(program_, b.length, symbols_).value_or(0)}));
      continue;
    }
    lengths_.push_back(length);
    operations_.assume_within(length, {1, kMostU32});
    if (length.terms().size() != 1) continue;
    // The length is not 0, so none of its factors is.
    const Monomial& factors = length.terms()[0].monomial;
    for (std::size_t k = 0; k < factors.degree; ++k) {
      const Poly factor = Poly::of(factors.atoms[k]);
      if (facts_.range(factor).low >= 0) facts_.assume(factor - Poly(1));
    }
  }
  operations_.never_wraps = false;
}

bool Values::is_inside(std::uint32_t buffer, const Poly& index, std::uint32_t width) {
  const Poly last = index * Poly(width) + Poly(width);
  return facts_.holds(index) && facts_.holds(lengths_[buffer] - last);
}

Poly Values::place_in_workgroup() const {
  const auto local = [&](std::uint32_t axis) { return ids_[ir::id_index(IdKind::local_id, axis)]; };
  const Int row = workgroup_[0];
  return local(0) + Poly(row) * local(1) + Poly(row * workgroup_[1]) * local(2);
}

void Values::set_condition(std::uint32_t variable, Condition condition) {
  conditions_[variable] = std::move(condition);
}

void Values::forget(std::uint32_t variable) {
  const ir::Type type = program_.variables[variable].type;
  variables_[variable] = is_integer_scalar(type) ? operations_.fresh(type.scalar) : Poly::unknown();
}

Poly Values::visit(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (e.type == ir::Type{Scalar::boolean, 1}) {
    visit_condition(id);
    return Poly::unknown();
  }
  switch (e.op) {
    case Op::load:
      return load(id);
    case Op::select:
      return select(e);
    case Op::cast:
    case Op::bitcast:
      return cast(e);
    default:
      if (ir::operand_count(e) == 0) return leaf(e);
      if (ir::in_table(e.op)) return operation(id);
      for (std::uint32_t k = 0; k < ir::operand_count(e); ++k) visit(e.args[k]);
      return is_integer_scalar(e.type) ? operations_.fresh(e.type.scalar) : Poly::unknown();
  }
}

Poly Values::operation(ExprId id) {
  const Expr& e = program_.exprs[id];
  const Poly a = visit(e.args[0]);
  const Poly b = e.args[1] == ir::kNone ? Poly(0) : visit(e.args[1]);
  if (e.args[2] != ir::kNone) visit(e.args[2]);
  return is_integer_scalar(e.type) ? operations_.apply(id, a, b) : Poly::unknown();
}

Condition Values::visit_condition(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (e.op == Op::variable) return conditions_[e.index];
  if (e.op == Op::not_) return negation(visit_condition(e.args[0]));
  if (e.op == Op::and_ || e.op == Op::or_) {
    Condition a = visit_condition(e.args[0]);
    const Condition b = visit_condition(e.args[1]);
    return e.op == Op::and_ ? conjunction(std::move(a), b) : disjunction(std::move(a), b);
  }
  if (ir::in_table(e.op) && ir::operand_count(e) == 2) {
    const Poly a = visit(e.args[0]);
    const Poly b = visit(e.args[1]);
    return comparison(facts_, e.op, a, b);
  }
  if (e.op == Op::select) {
    select(e);
  } else {
    for (std::uint32_t k = 0; k < ir::operand_count(e); ++k) visit(e.args[k]);
  }
  return {};
}

Poly Values::leaf(const Expr& e) {
  if (!is_integer_scalar(e.type)) return Poly::unknown();
  switch (e.op) {
    case Op::constant:
      return constant(e.type.scalar, e.bits);
    case Op::symbol:
      if (symbols_[e.index]) return constant(e.type.scalar, *symbols_[e.index]);
      return operations_.named("symbol", e.type.scalar, Poly(e.index));
    case Op::length:
      return lengths_[e.index];
    case Op::id:
      return ids_[e.index];
    default:
      return variables_[e.index];
  }
}

Poly Values::load(ExprId id) {
  const Expr& e = program_.exprs[id];
  const Poly index = visit(e.args[0]);
  proofs_.inside[id] = is_inside(e.index, index, e.type.width);
  return is_integer_scalar(e.type) ? operations_.fresh(e.type.scalar) : Poly::unknown();
}

// C's `?:` evaluates only the operand that it chooses, so each operand may rely on the condition.
Poly Values::select(const Expr& e) {
  const Condition condition = visit_condition(e.args[0]);
  const bool was_in_length = std::exchange(operations_.never_wraps, false);
  Range both{kMostInt, -kMostInt};
  for (const bool yes : {true, false}) {
    const Facts::Mark mark = facts_.mark();
    for (const Poly& fact : yes ? condition.yes : condition.no) facts_.assume(fact);
    const Range arm = facts_.range(visit(e.args[yes ? 1 : 2]));
    both = {std::min(both.low, arm.low), std::max(both.high, arm.high)};
    facts_.release(mark);
  }
  operations_.never_wraps = was_in_length;
  if (!is_integer_scalar(e.type)) return Poly::unknown();
  const Poly out = operations_.fresh(e.type.scalar);
  operations_.assume_within(out, both);
  return out;
}

Poly Values::cast(const Expr& e) {
  const ir::Type from = program_.exprs[e.args[0]].type;
  const Poly operand = visit(e.args[0]);
  if (!is_integer_scalar(e.type)) return Poly::unknown();
  if (is_integer_scalar(from) && operations_.fits(operand, e.type.scalar)) return operand;
  if (is_integer_scalar(from)) return operations_.named("cast", e.type.scalar, operand);
  if (from.scalar != Scalar::boolean) return operations_.fresh(e.type.scalar);
  return Poly::of(facts_.new_atom(Operations::range_of(Scalar::boolean)));
}

}  // namespace vyre::bounds
