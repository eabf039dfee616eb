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

Values::Values(const ir::Program& program, const LaunchKnowledge& launch, Facts& facts,
               Proofs& proofs)
    : program_(program),
      launch_(launch),
      facts_(facts),
      proofs_(proofs),
      operations_(program, facts, proofs),
      ids_(std::size_t{ir::kIdKinds} * 3),
      variables_(program.variables.size(), Poly::unknown()),
      conditions_(program.variables.size()) {
  if (launch_.workgroup) {
    declare_ids();
    declare_lengths();
    return;
  }
  // Workgroup and grid are made of tunables and lengths, so these come first.
  operations_.exact_remainders = true;
  declare_tunables();
  declare_lengths();
  for (std::uint32_t axis = 0; axis < 3; ++axis) declare_axis(axis);
}

// Dispatch lets at most 2^32 - 1 invocations run on each axis.
void Values::declare_ids() {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Int size = (*launch_.workgroup)[axis];
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

// The same with sizes that are polynomials. An axis of one invocation has no atoms.
void Values::declare_axis(std::uint32_t axis) {
  const auto at = [&](IdKind kind) -> Poly& { return ids_[ir::id_index(kind, axis)]; };
  const auto below = [&](const Poly& count) {
    if (count == Poly(1)) return Poly(0);
    const Poly out = Poly::of(facts_.new_atom({0, facts_.range(count).high - 1}));
    facts_.assume(count - Poly(1) - out);
    return out;
  };
  const Poly size = workgroup_size(axis);
  const Poly groups = group_count(axis, size);
  at(IdKind::local_size) = size;
  at(IdKind::groups) = groups;
  at(IdKind::global_size) = size * groups;
  facts_.assume(Poly(kMostU32) - size * groups);
  at(IdKind::local_id) = below(size);
  at(IdKind::group_id) = below(groups);
  if (size == Poly(1)) {
    at(IdKind::global_id) = at(IdKind::group_id);
  } else if (groups == Poly(1)) {
    at(IdKind::global_id) = at(IdKind::local_id);
  } else {
    at(IdKind::global_id) = below(size * groups);
    const Poly sum = size * at(IdKind::group_id) + at(IdKind::local_id);
    facts_.assume(at(IdKind::global_id) - sum);
    facts_.assume(sum - at(IdKind::global_id));
  }
}

// A workgroup that is not declared is 64 on axis 0, or less on a device that has no room for it.
Poly Values::workgroup_size(std::uint32_t axis) {
  if (launch_.sizes) return Poly((*launch_.sizes)[axis]);
  const bool is_declared =
      std::ranges::any_of(program_.workgroup, [](ExprId e) { return e != ir::kNone; });
  if (!is_declared && axis == 0) {
    const Atom atom = facts_.new_atom({1, 64});
    operations_.mark_uniform(atom);
    return Poly::of(atom);
  }
  if (program_.workgroup[axis] == ir::kNone) return Poly(1);
  const Poly size = visit(program_.workgroup[axis]);
  operations_.assume_within(size, {1, kMostU32});
  return size;
}

// A grid that is not declared covers the largest written buffer; its size is left open here.
Poly Values::group_count(std::uint32_t axis, const Poly& size) {
  if (launch_.groups) return Poly((*launch_.groups)[axis]);
  const bool is_declared =
      std::ranges::any_of(program_.grid, [](ExprId e) { return e != ir::kNone; });
  if (!is_declared && axis == 0) {
    const Atom atom = facts_.new_atom({1, kMostU32});
    operations_.mark_uniform(atom);
    return Poly::of(atom);
  }
  if (program_.grid[axis] == ir::kNone) return Poly(1);
  const Poly groups = visit_grid(program_.grid[axis]);
  operations_.assume_within(groups, {1, kMostU32});
  facts_.assume(Poly(kMostU32) - size);
  return groups;
}

// For a quotient a / b in the size of a grid, that (a / b) * b is at most a is turned into a bound
// by a number, which later proofs (that ids times items do not wrap) would hardly find.
Poly Values::visit_grid(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (e.op != Op::div && e.op != Op::add) return visit(id);
  const Poly a = visit_grid(e.args[0]);
  const Poly b = visit_grid(e.args[1]);
  const Poly out = operations_.apply(id, a, b);
  if (e.op == Op::add || !facts_.holds(b - Poly(1))) return out;
  Int most = facts_.range(a).high;
  for (std::size_t k = 0; k < lengths_.size(); ++k) {
    const Poly rest = a - lengths_[k];
    if (!rest.is_known() || !ir::is_bound(program_.buffers[k].access)) continue;
    most = std::min(most, saturating_add(launch_.most_length, facts_.range(rest).high));
  }
  facts_.assume(Poly(most) - out * b);
  return out;
}

// A tunable has one of its declared values.
void Values::declare_tunables() {
  for (std::uint32_t k = 0; k < program_.symbols.size(); ++k) {
    const ir::Symbol& s = program_.symbols[k];
    if (s.kind != ir::SymbolKind::tunable || launch_.symbols[k]) continue;
    if (s.type != Scalar::u32 && s.type != Scalar::u64) continue;
    Range range{s.default_bits == 0 ? 0 : 1, launch_.most_tunable};
    if (!s.values.empty()) {
      const auto [least, most] = std::ranges::minmax(s.values);
      range = {Int{least}, Int{most}};
    }
    operations_.assume_within(symbol(k), range);
  }
}

// A bound buffer has at least one element and at most 2^32 - 1, and its length is computed without
// wrapping: dispatch refuses everything else.
void Values::declare_lengths() {
  for (const ir::Buffer& b : program_.buffers) {
    operations_.never_wraps = ir::is_bound(b.access);
    const Poly length = visit(b.length);
    if (!ir::is_bound(b.access)) {
      const auto known = ir::fold(program_, b.length, launch_.symbols);
      const bool is_open = !known && !launch_.workgroup;
      lengths_.push_back(is_open ? length : Poly(Int{known.value_or(0)}));
      continue;
    }
    lengths_.push_back(length);
    operations_.assume_within(length, {1, launch_.most_length});
    if (!launch_.workgroup) operations_.add_length(length);
    if (length.terms().size() != 1) continue;
    // The length is not 0, so none of its factors is.
    const Monomial& factors = length.terms()[0].monomial;
    for (std::size_t k = 0; k < factors.degree; ++k) {
      const Poly factor = Poly::of(factors.atoms[k]);
      if (facts_.range(factor).low < 0) continue;
      facts_.assume(factor - Poly(1));
      // The other factors are at least 1, so this one is not larger than the length.
      if (!launch_.workgroup) facts_.assume(Poly(launch_.most_length) - factor);
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
  const auto size = [&](std::uint32_t axis) {
    return ids_[ir::id_index(IdKind::local_size, axis)];
  };
  return local(0) + size(0) * (local(1) + size(1) * local(2));
}

void Values::set_condition(std::uint32_t variable, Condition condition) {
  conditions_[variable] = std::move(condition);
}

void Values::forget(std::uint32_t variable) {
  const ir::Type type = program_.variables[variable].type;
  variables_[variable] = is_integer_scalar(type) ? operations_.fresh(type.scalar) : Poly::unknown();
}

Poly Values::visit(ExprId id) {
  Poly out = value(id);
  if (on_value) on_value(id, out);
  return out;
}

Poly Values::value(ExprId id) {
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
      return symbol(e.index);
    case Op::length:
      return lengths_[e.index];
    case Op::id:
      return ids_[e.index];
    default:
      return variables_[e.index];
  }
}

Poly Values::symbol(std::uint32_t index) {
  const Scalar type = program_.symbols[index].type;
  if (!is_integer_scalar({type, 1})) return Poly::unknown();
  if (launch_.symbols[index]) return constant(type, *launch_.symbols[index]);
  return operations_.named("symbol", type, Poly(index));
}

Poly Values::load(ExprId id) {
  const Expr& e = program_.exprs[id];
  const Poly index = visit(e.args[0]);
  proofs_.inside[id] = proves_guards() && is_inside(e.index, index, e.type.width);
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
