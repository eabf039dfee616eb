#include "bounds/operations.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "bounds/radix.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::bounds {
namespace {

using ir::Expr;
using ir::ExprId;
using ir::Op;
using ir::Scalar;

bool is_unsigned(Scalar type) { return type == Scalar::u32 || type == Scalar::u64; }

// The terms of p that the divisor, one term, divides.
Poly divisible_part(const Poly& p, const Poly& divisor) {
  if (divisor.terms().size() != 1) return {};
  const Term& by = divisor.terms()[0];
  Poly out;
  for (const Term& t : p.terms()) {
    if (!t.monomial.divided_by(by.monomial) || t.coefficient % by.coefficient != 0) continue;
    out = out + Poly(t.coefficient).times(1, t.monomial);
  }
  return out;
}

bool has_in_product(const Poly& p, Atom atom) {
  return std::ranges::any_of(p.terms(), [&](const Term& t) {
    return t.monomial.degree > 1 && t.monomial.divided_by(Monomial{{atom}, 1});
  });
}

// Whether a size that is a factor of the length is a factor of a part of the number.
bool have_common_factor(const Poly& length, const Poly& number) {
  return std::ranges::any_of(length.terms(), [&](const Term& t) {
    return t.monomial.degree > 1 &&
           std::any_of(t.monomial.atoms.begin(), t.monomial.atoms.begin() + t.monomial.degree,
                       [&](Atom atom) { return has_in_product(number, atom); });
  });
}

}  // namespace

Range Operations::range_of(Scalar type) {
  switch (type) {
    case Scalar::boolean:
      return {0, 1};
    case Scalar::u32:
      return {0, std::numeric_limits<std::uint32_t>::max()};
    case Scalar::u64:
      return {0, std::numeric_limits<std::uint64_t>::max()};
    case Scalar::i32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    default:
      return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  }
}

void Operations::assume_within(const Poly& p, Range range) {
  facts_.assume(p - Poly(range.low));
  facts_.assume(Poly(range.high) - p);
}

bool Operations::fits(const Poly& p, Scalar type) {
  const Range range = range_of(type);
  // Most values fit by their ranges, which need no new polynomials.
  const Range known = facts_.range(p);
  if (known.low < range.low && !facts_.holds(p - Poly(range.low))) return false;
  if (known.high <= range.high) return true;
  const bool has_lengths = range.high >= range_of(Scalar::u32).high;
  return (has_lengths && is_below_length(p)) || facts_.holds(Poly(range.high) - p);
}

void Operations::add_length(const Poly& length) {
  if (std::ranges::find(lengths_, length) == lengths_.end()) lengths_.push_back(length);
}

// An index such as y * w + x is below w * h because of y < h and x < w, in a few steps. That w * h
// is no large number is known from the start, so a search for a proof that the index is no large
// number would try that fact behind all others, and give up before.
bool Operations::is_below_length(const Poly& p) {
  const auto it = std::ranges::find_if(lengths_, [&](const Poly& length) {
    return have_common_factor(length, p) && facts_.holds(length - Poly(1) - p);
  });
  if (it == lengths_.end()) return false;
  std::rotate(lengths_.begin(), it, it + 1);
  return true;
}

Poly Operations::named(std::string_view op, Scalar type, const Poly& a, const Poly& b) {
  if (!a.is_known() || !b.is_known()) return fresh(type);
  const auto [it, is_new] = named_.try_emplace(Name{op, type, a, b}, 0);
  if (!is_new) return Poly::of(it->second);
  it->second = facts_.new_atom(range_of(type));
  if (is_uniform(a) && is_uniform(b)) mark_uniform(it->second);
  return Poly::of(it->second);
}

std::optional<Poly> Operations::find_named(std::string_view op, Scalar type, const Poly& a,
                                           const Poly& b) const {
  const auto it = named_.find(Name{op, type, a, b});
  return it == named_.end() ? std::nullopt : std::optional(Poly::of(it->second));
}

std::size_t Operations::NameHash::operator()(const Name& name) const {
  return std::hash<std::string_view>{}(name.op) ^ hash_of(name.a) ^ 3 * hash_of(name.b);
}

void Operations::mark_uniform(Atom atom) {
  if (atom >= uniform_.size()) uniform_.resize(atom + 1);
  uniform_[atom] = true;
}

std::optional<std::pair<Poly, Poly>> Operations::operands_of_min(Atom atom) const {
  const auto it = mins_.find(atom);
  return it == mins_.end() ? std::nullopt : std::optional(it->second);
}

bool Operations::is_uniform(const Poly& p) const {
  return p.is_known() && std::ranges::all_of(p.terms(), [&](const Term& t) {
           return std::all_of(t.monomial.atoms.begin(),
                              t.monomial.atoms.begin() + t.monomial.degree,
                              [&](Atom atom) { return atom < uniform_.size() && uniform_[atom]; });
         });
}

Poly Operations::apply(ExprId id, const Poly& a, const Poly& b) {
  const Expr& e = program_.exprs[id];
  switch (e.op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::neg:
      return arithmetic(id, a, b);
    case Op::div:
    case Op::mod:
      return division(id, a, b);
    case Op::shl:
    case Op::shr:
      return shift(id, a, b);
    case Op::min:
    case Op::max:
      return extreme(e, a, b);
    case Op::abs:
      return facts_.holds(a) ? a : named("abs", e.type.scalar, a);
    default:
      return bits(e, a, b);
  }
}

Poly Operations::arithmetic(ExprId id, const Poly& a, const Poly& b) {
  const Expr& e = program_.exprs[id];
  const Poly exact = e.op == Op::add   ? a + b
                     : e.op == Op::sub ? a - b
                     : e.op == Op::mul ? a * b
                                       : Poly(0) - a;
  if (never_wraps) assume_within(exact, range_of(e.type.scalar));
  proofs_.plain[id] = exact.is_known() && (never_wraps || fits(exact, e.type.scalar));
  return proofs_.plain[id] ? exact : named(ir::info(e.op).name, e.type.scalar, a, b);
}

Poly Operations::division(ExprId id, const Poly& a, const Poly& b) {
  const Expr& e = program_.exprs[id];
  const Scalar type = e.type.scalar;
  const bool positive = facts_.holds(b - Poly(1));
  proofs_.plain[id] = positive || facts_.holds(Poly(-2) - b);
  if (positive && (is_unsigned(type) || facts_.holds(a))) {
    return e.op == Op::div ? quotient(type, a, b) : remainder(type, a, b);
  }
  const Poly out = named(ir::info(e.op).name, type, a, b);
  if (is_unsigned(type) && e.op == Op::mod) facts_.assume(a - out);
  return out;
}

// a / b for a >= 0 and b > 0.
Poly Operations::quotient(Scalar type, const Poly& a, const Poly& b) {
  if (const auto exact = exact_quotient(a, b)) return *exact;
  // (r * b + c) / b is r if 0 <= c < b.
  const Poly whole = divisible_part(a, b);
  const Poly rest = a - whole;
  if (!whole.terms().empty() && facts_.holds(rest) && facts_.holds(b - Poly(1) - rest)) {
    return *exact_quotient(whole, b);
  }
  const Poly q = named("div", type, a, b);
  facts_.assume(q);
  facts_.assume(a - q);
  facts_.assume(a - q * b);
  facts_.assume(q * b + b - Poly(1) - a);
  // a < m * b implies a / b < m.
  if (a.terms().size() == 1 && a == Poly::of(a.terms()[0].monomial.atoms[0])) {
    for (const Poly& bound : facts_.upper_bounds(a.terms()[0].monomial.atoms[0])) {
      if (const auto m = exact_quotient(bound + Poly(1), b)) facts_.assume(*m - Poly(1) - q);
    }
  }
  return q;
}

// a % b for a >= 0 and b > 0.
Poly Operations::remainder(Scalar type, const Poly& a, const Poly& b) {
  const Poly q = quotient(type, a, b);
  if (exact_remainders && (a - q * b).is_known()) {
    const Poly exact = a - q * b;
    facts_.assume(exact);
    facts_.assume(b - Poly(1) - exact);
    return exact;
  }
  const Poly r = named("mod", type, a, b);
  facts_.assume(r);
  facts_.assume(b - Poly(1) - r);
  facts_.assume(a - r);
  facts_.assume(a - q * b - r);
  facts_.assume(q * b + r - a);
  return r;
}

Poly Operations::shift(ExprId id, const Poly& a, const Poly& count) {
  const Expr& e = program_.exprs[id];
  const Int width = Int{ir::byte_size(e.type.scalar)} * 8;
  proofs_.plain[id] = facts_.holds(Poly(width - 1) - count) && facts_.holds(count);
  const auto known = count.constant();
  if (!known || !proofs_.plain[id]) return named(ir::info(e.op).name, e.type.scalar, a, count);
  const Poly factor(Int{1} << static_cast<unsigned>(*known));
  if (e.op == Op::shl && fits(a * factor, e.type.scalar)) return a * factor;
  if (e.op == Op::shr && facts_.holds(a)) return quotient(e.type.scalar, a, factor);
  return named(ir::info(e.op).name, e.type.scalar, a, count);
}

Poly Operations::extreme(const Expr& e, const Poly& a, const Poly& b) {
  const Poly out = named(ir::info(e.op).name, e.type.scalar, a, b);
  const Range x = facts_.range(a);
  const Range y = facts_.range(b);
  if (e.op == Op::min) {
    if (a.is_known() && b.is_known()) mins_.try_emplace(*as_atom(out), a, b);
    facts_.assume(a - out);
    facts_.assume(b - out);
    facts_.assume(out - Poly(std::min(x.low, y.low)));
  } else {
    facts_.assume(out - a);
    facts_.assume(out - b);
    facts_.assume(Poly(std::max(x.high, y.high)) - out);
  }
  return out;
}

// Bit operations: `and` with a number that is not negative gives nothing larger.
Poly Operations::bits(const Expr& e, const Poly& a, const Poly& b) {
  const Poly out = named(ir::info(e.op).name, e.type.scalar, a, b);
  if (e.op == Op::popcount || e.op == Op::clz) assume_within(out, {0, 64});
  if (e.op != Op::and_) return out;
  for (const Poly* p : {&a, &b}) {
    if (!facts_.holds(*p)) continue;
    facts_.assume(*p - out);
    facts_.assume(out);
  }
  return out;
}

}  // namespace vyre::bounds
