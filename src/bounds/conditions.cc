// What follows from conditions.

#include "bounds/values.h"
#include "ir/ops.h"

namespace vyre::bounds {
namespace {

using ir::Expr;
using ir::ExprId;
using ir::Op;
using ir::Scalar;

void append(std::vector<Poly>& to, const std::vector<Poly>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Condition Values::visit_condition(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (e.op == Op::variable) return conditions_[e.index];
  if (e.op == Op::not_) {
    Condition c = visit_condition(e.args[0]);
    return {std::move(c.no), std::move(c.yes)};
  }
  if (e.op == Op::and_ || e.op == Op::or_) {
    Condition a = visit_condition(e.args[0]);
    const Condition b = visit_condition(e.args[1]);
    const bool both = e.op == Op::and_;
    append(both ? a.yes : a.no, both ? b.yes : b.no);
    (both ? a.no : a.yes).clear();
    return a;
  }
  if (ir::in_table(e.op) && ir::operand_count(e) == 2) return comparison(e);
  if (e.op == Op::select)
    select(e);
  else
    for (std::uint32_t k = 0; k < ir::operand_count(e); ++k) visit(e.args[k]);
  return {};
}

Condition Values::comparison(const Expr& e) {
  const Poly a = visit(e.args[0]);
  const Poly b = visit(e.args[1]);
  const Poly less = b - a - Poly(1);     // a < b
  const Poly greater = a - b - Poly(1);  // a > b
  switch (e.op) {
    case Op::lt:
      return {{less}, {a - b}};
    case Op::le:
      return {{b - a}, {greater}};
    case Op::gt:
      return {{greater}, {b - a}};
    case Op::ge:
      return {{a - b}, {less}};
    case Op::eq:
    case Op::ne: {
      // Of two that differ, one is the larger if it can never be the smaller.
      Condition c{{a - b, b - a}, {}};
      if (facts_.range(a - b).low >= 0) c.no.push_back(greater);
      if (facts_.range(b - a).low >= 0) c.no.push_back(less);
      if (e.op == Op::ne) std::swap(c.yes, c.no);
      return c;
    }
    default:
      return {};
  }
}

}  // namespace vyre::bounds
