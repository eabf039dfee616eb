#include "fuse/load_index.h"

#include <algorithm>
#include <functional>

#include "base/check.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::fuse {
namespace {

using bounds::Accesses;
using bounds::Atom;
using bounds::AtomKind;
using bounds::Int;
using bounds::Poly;
using ir::Expr;
using ir::ExprId;
using ir::kNone;
using ir::Op;

struct Division {
  Poly quotient;
  Poly rest;
};

// p = quotient * divisor + rest, where the quotient has the terms of p that the divisor's largest
// term divides.
Division divide(const Poly& p, const Poly& divisor) {
  const auto lead = std::ranges::max_element(
      divisor.terms(), {}, [](const bounds::Term& t) { return t.monomial.degree; });
  Poly quotient;
  for (const bounds::Term& t : p.terms()) {
    const auto rest = t.monomial.divided_by(lead->monomial);
    if (!rest || t.coefficient % lead->coefficient != 0) continue;
    quotient = quotient + Poly(1).times(t.coefficient / lead->coefficient, *rest);
  }
  return {quotient, p - quotient * divisor};
}

// Whether the expression has the same value wherever its variables are visible.
bool is_stable(const ir::Program& program, ExprId id) {
  const Expr& e = program.exprs[id];
  if (e.op == Op::load) return false;
  if (e.op == Op::variable && program.variables[e.index].is_mutable) return false;
  return std::ranges::all_of(ir::operands(e),
                             [&](ExprId operand) { return is_stable(program, operand); });
}

}  // namespace

Poly poly_of(const Size& size, const Accesses& accesses) {
  Poly out;
  for (const SizeTerm& t : size) {
    Poly product{Int{t.factor}};
    for (const std::string& name : t.symbols) product = product * accesses.symbol(name);
    out = out + product;
  }
  return out;
}

ExprId write_size(const Size& size, const ir::Program& symbols_of, ir::ProgramWriter& to) {
  ExprId sum = kNone;
  for (const SizeTerm& t : size) {
    // Arithmetic modulo 2^32 gives the size even where a factor is negative.
    const auto factor = static_cast<std::uint32_t>(t.factor);
    ExprId product = factor == 1 && !t.symbols.empty() ? kNone : to.u32(factor);
    for (const std::string& name : t.symbols) {
      const auto it = std::ranges::find(symbols_of.symbols, name, &ir::Symbol::name);
      const ExprId value = to.cast(ir::Scalar::u32, to.symbol_value(to.symbol(*it)));
      product = product == kNone ? value : to.op(Op::mul, {product, value});
    }
    sum = sum == kNone ? product : to.op(Op::add, {sum, product});
  }
  return sum == kNone ? to.u32(0) : sum;
}

std::optional<std::vector<Poly>> split_index(Accesses& accesses, const bounds::MemoryAccess& access,
                                             const std::vector<NumberDigit>& digits) {
  std::vector<Poly> out;
  Poly rest = access.index;
  for (const NumberDigit& d : digits) {
    const Poly stride = poly_of(d.stride, accesses);
    if (!rest.is_known() || !stride.is_known() || stride.terms().empty()) return std::nullopt;
    const auto [quotient, remainder] = divide(rest, stride);
    const bool is_split = accesses.holds(access.place, remainder) &&
                          accesses.holds(access.place, stride - Poly(1) - remainder);
    if (!is_split) return std::nullopt;
    out.push_back(quotient);
    rest = remainder;
  }
  return out;
}

PolyWriter::PolyWriter(const ir::Program& program, const Accesses& accesses,
                       const bounds::MemoryAccess& access, ir::Rewriter& rewriter,
                       ir::ProgramWriter& to)
    : program_(program), accesses_(accesses), rewriter_(rewriter), to_(to) {
  collect(access.index_expr);
}

// The parts of the index, and the parts of what its variables were introduced with.
void PolyWriter::collect(ExprId root) {
  std::vector<ExprId> open{root};
  std::vector<bool> seen(program_.variables.size(), false);
  for (std::size_t k = 0; k < open.size(); ++k) {
    const Expr& e = program_.exprs[open[k]];
    if (is_stable(program_, open[k])) parts_.push_back(open[k]);
    for (const ExprId operand : ir::operands(e)) open.push_back(operand);
    if (e.op != Op::variable || program_.variables[e.index].is_mutable) continue;
    if (seen[e.index]) continue;
    seen[e.index] = true;
    const auto let = std::ranges::find_if(program_.stmts, [&](const ir::Stmt& s) {
      return s.kind == ir::StmtKind::let && s.variable == e.index;
    });
    if (let != program_.stmts.end()) open.push_back(let->args[0]);
  }
}

ExprId PolyWriter::find(const Poly& p) const {
  const auto it = std::ranges::find_if(parts_, [&](ExprId id) {
    return accesses_.value(id).is_known() && accesses_.value(id) == p;
  });
  return it == parts_.end() ? kNone : *it;
}

bool PolyWriter::can_write(Atom atom) const {
  const AtomKind kind = accesses_.atom(atom).kind;
  return kind == AtomKind::symbol || kind == AtomKind::id || find(Poly::of(atom)) != kNone;
}

bool PolyWriter::can_write(const Poly& p) const {
  if (!p.is_known()) return false;
  if (find(p) != kNone) return true;
  return std::ranges::all_of(p.terms(), [&](const bounds::Term& t) {
    return std::ranges::all_of(t.monomial.atoms.begin(),
                               t.monomial.atoms.begin() + t.monomial.degree,
                               [&](Atom atom) { return can_write(atom); });
  });
}

ExprId PolyWriter::write(Atom atom) {
  const ExprId part = find(Poly::of(atom));
  if (part != kNone) return to_.cast(ir::Scalar::u32, rewriter_.rewrite(part));
  const bounds::AtomInfo info = accesses_.atom(atom);
  if (info.kind == AtomKind::id) {
    return to_.id(ir::id_kind(info.index), ir::id_axis(info.index));
  }
  VYRE_CHECK(info.kind == AtomKind::symbol);
  return to_.cast(ir::Scalar::u32, to_.symbol_value(to_.symbol(program_.symbols[info.index])));
}

ExprId PolyWriter::write_product(const bounds::Term& term, Int factor) {
  const auto number = static_cast<std::uint32_t>(factor);
  ExprId product = number == 1 && term.monomial.degree > 0 ? kNone : to_.u32(number);
  for (std::size_t k = 0; k < term.monomial.degree; ++k) {
    const ExprId value = write(term.monomial.atoms[k]);
    product = product == kNone ? value : to_.op(Op::mul, {product, value});
  }
  return product;
}

ExprId PolyWriter::write_sum(const Poly& p, bool negative, ExprId sum) {
  std::vector<bounds::Term> terms = p.terms();
  std::ranges::sort(terms, {}, [](const bounds::Term& t) {
    return std::pair(-static_cast<int>(t.monomial.degree), t.monomial);
  });
  for (const bounds::Term& t : terms) {
    if ((t.coefficient < 0) != negative) continue;
    const ExprId product = write_product(t, negative ? -t.coefficient : t.coefficient);
    if (sum == kNone) {
      sum = product;
    } else {
      sum = to_.op(negative ? Op::sub : Op::add, {sum, product});
    }
  }
  return sum;
}

// Terms that are subtracted come last. Parts of the sum may wrap, but the whole is not negative, so
// arithmetic modulo 2^32 gives it.
ExprId PolyWriter::write(const Poly& p) {
  const ExprId part = find(p);
  if (part != kNone) return to_.cast(ir::Scalar::u32, rewriter_.rewrite(part));
  ExprId sum = write_sum(p, false, kNone);
  if (sum == kNone) sum = to_.u32(0);
  return write_sum(p, true, sum);
}

}  // namespace vyre::fuse
