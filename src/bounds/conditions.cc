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
  Condition c{{a - b, b - a}, {}};
  if (facts.range(a - b).low >= 0) c.no.push_back(a - b - Poly(1));
  if (facts.range(b - a).low >= 0) c.no.push_back(b - a - Poly(1));
  return c;
}

}  // namespace

Condition negation(Condition c) { return {std::move(c.no), std::move(c.yes)}; }

// If `a and b` is false, either may be the false one: no fact follows.
Condition conjunction(Condition a, const Condition& b) {
  append(a.yes, b.yes);
  a.no.clear();
  return a;
}

Condition disjunction(Condition a, const Condition& b) {
  append(a.no, b.no);
  a.yes.clear();
  return a;
}

Condition comparison(const Facts& facts, Op op, const Poly& a, const Poly& b) {
  const Poly less = b - a - Poly(1);     // a < b
  const Poly greater = a - b - Poly(1);  // a > b
  switch (op) {
    case Op::lt:
      return {{less}, {a - b}};
    case Op::le:
      return {{b - a}, {greater}};
    case Op::gt:
      return {{greater}, {b - a}};
    case Op::ge:
      return {{a - b}, {less}};
    case Op::eq:
      return equality(facts, a, b);
    case Op::ne:
      return negation(equality(facts, a, b));
    default:
      return {};
  }
}

}  // namespace vyre::bounds
