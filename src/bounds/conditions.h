// Condition: the facts that follow from a boolean expression.

#pragma once

#include <vector>

#include "bounds/facts.h"
#include "vyre/program.h"

namespace vyre::bounds {

struct Condition {
  std::vector<Poly> yes{};    // facts if the expression is true
  std::vector<Poly> no{};     // facts if it is false
  bool is_yes_exact = false;  // the expression is true if and only if all facts of `yes` hold
  bool is_no_exact = false;   // and false if and only if all facts of `no` do
};

Condition negation(Condition c);
Condition conjunction(Condition a, const Condition& b);
Condition disjunction(Condition a, const Condition& b);

// Of a comparison of two integers. Empty for any other operation.
Condition comparison(const Facts& facts, ir::Op op, const Poly& a, const Poly& b);

}  // namespace vyre::bounds
