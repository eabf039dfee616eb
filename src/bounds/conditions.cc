#include "bounds/conditions.h"

#include <utility>

namespace vyre::bounds {
namespace {

using ir::Op;

void append(std::vector<Poly>& to, const std::vector<Poly>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Two values that differ: one is the larger if it can never be the smaller.
Condition equality(const Facts& facts, const Poly& a, const Poly& b) {
  Condition c{{a - b, b - a}, {}, (a - b).is_known(), false};
  if (facts.range(a - b).low >= 0) c.no.push_back(a - b - Poly(1));
  if (facts.range(b - a).low >= 0) c.no.push_back(b - a - Poly(1));
  c.is_no_exact = !c.no.empty();
  return c;
}

}  // namespace

Condition negation(Condition c) {
  return {std::move(c.no), std::move(c.yes), c.is_no_exact, c.is_yes_exact};
}

// If `a and b` is false, either may be the false one: no fact follows.
Condition conjunction(Condition a, const Condition& b) {
  append(a.yes, b.yes);
  a.is_yes_exact = a.is_yes_exact && b.is_yes_exact;
  a.no.clear();
  a.is_no_exact = false;
  return a;
}

Condition disjunction(Condition a, const Condition& b) {
  append(a.no, b.no);
  a.is_no_exact = a.is_no_exact && b.is_no_exact;
  a.yes.clear();
  a.is_yes_exact = false;
  return a;
}

Condition comparison(const Facts& facts, Op op, const Poly& a, const Poly& b) {
  const Poly less = b - a - Poly(1);     // a < b
  const Poly greater = a - b - Poly(1);  // a > b
  const bool is_exact = less.is_known() && greater.is_known();
  switch (op) {
    case Op::lt:
      return {{less}, {a - b}, is_exact, is_exact};
    case Op::le:
      return {{b - a}, {greater}, is_exact, is_exact};
    case Op::gt:
      return {{greater}, {b - a}, is_exact, is_exact};
    case Op::ge:
      return {{a - b}, {less}, is_exact, is_exact};
    case Op::eq:
      return equality(facts, a, b);
    case Op::ne:
      return negation(equality(facts, a, b));
    default:
      return {};
  }
}

}  // namespace vyre::bounds
