#include "bounds/values.h"

#include <algorithm>
#include <bit>
#include <limits>

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
      ids_(std::size_t{ir::kIdKinds} * 3),
      variables_(program.variables.size(), Poly::unknown()),
      conditions_(program.variables.size()) {
  declare_ids();
  declare_lengths();
}

Range Values::range_of(Scalar type) {
  switch (type) {
    case Scalar::boolean:
      return {0, 1};
    case Scalar::u32:
      return {0, kMostU32};
    case Scalar::u64:
      return {0, std::numeric_limits<std::uint64_t>::max()};
    case Scalar::i32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    default:
      return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  }
}

// On each axis dispatch lets at most 2^32 - 1 invocations run.
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
    in_length_ = ir::is_bound(b.access);
    const Poly length = visit(b.length);
    if (!ir::is_bound(b.access)) {
      lengths_.push_back(Poly(Int{ir::fold(program_, b.length, symbols_).value_or(0)}));
      continue;
    }
    lengths_.push_back(length);
    assume_within(length, {1, kMostU32});
    if (length.terms().size() != 1) continue;
    // No factor of a product is 0 if the product is not.
    const Monomial& factors = length.terms()[0].monomial;
    for (std::size_t k = 0; k < factors.degree; ++k) {
      const Poly factor = Poly::of(factors.atoms[k]);
      if (facts_.range(factor).low >= 0) facts_.assume(factor - Poly(1));
    }
  }
  in_length_ = false;
}

void Values::assume_within(const Poly& p, Range range) {
  facts_.assume(p - Poly(range.low));
  facts_.assume(Poly(range.high) - p);
}

bool Values::fits(const Poly& p, Scalar type) {
  const Range range = range_of(type);
  return facts_.holds(p - Poly(range.low)) && facts_.holds(Poly(range.high) - p);
}

Poly Values::named(std::string_view op, Scalar type, const Poly& a, const Poly& b) {
  if (!a.is_known() || !b.is_known()) return fresh(type);
  const std::string key =
      std::string(op) + std::string(ir::name_of(type)) + " " + a.key() + " " + b.key();
  const auto it = named_.find(key);
  if (it != named_.end()) return Poly::of(it->second);
  const Atom atom = facts_.new_atom(range_of(type));
  named_.emplace(key, atom);
  return Poly::of(atom);
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
  variables_[variable] = is_integer_scalar(type) ? fresh(type.scalar) : Poly::unknown();
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
      return is_integer_scalar(e.type) ? fresh(e.type.scalar) : Poly::unknown();
  }
}

Poly Values::leaf(const Expr& e) {
  if (!is_integer_scalar(e.type)) return Poly::unknown();
  switch (e.op) {
    case Op::constant:
      return constant(e.type.scalar, e.bits);
    case Op::symbol:
      if (symbols_[e.index]) return constant(e.type.scalar, *symbols_[e.index]);
      return named("symbol", e.type.scalar, Poly(e.index));
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
  return is_integer_scalar(e.type) ? fresh(e.type.scalar) : Poly::unknown();
}

// C's choice evaluates only the arm it takes, so each may rely on the condition.
Poly Values::select(const Expr& e) {
  const Condition condition = visit_condition(e.args[0]);
  const bool was_in_length = std::exchange(in_length_, false);
  Range both{kMostInt, -kMostInt};
  for (const bool yes : {true, false}) {
    const Facts::Mark mark = facts_.mark();
    for (const Poly& fact : yes ? condition.yes : condition.no) facts_.assume(fact);
    const Range arm = facts_.range(visit(e.args[yes ? 1 : 2]));
    both = {std::min(both.low, arm.low), std::max(both.high, arm.high)};
    facts_.release(mark);
  }
  in_length_ = was_in_length;
  if (!is_integer_scalar(e.type)) return Poly::unknown();
  const Poly out = fresh(e.type.scalar);
  assume_within(out, both);
  return out;
}

Poly Values::cast(const Expr& e) {
  const ir::Type from = program_.exprs[e.args[0]].type;
  const Poly operand = visit(e.args[0]);
  if (!is_integer_scalar(e.type)) return Poly::unknown();
  if (is_integer_scalar(from) && fits(operand, e.type.scalar)) return operand;
  if (is_integer_scalar(from)) return named("cast", e.type.scalar, operand);
  if (from.scalar != Scalar::boolean) return fresh(e.type.scalar);
  return Poly::of(facts_.new_atom(range_of(Scalar::boolean)));
}

}  // namespace vyre::bounds
