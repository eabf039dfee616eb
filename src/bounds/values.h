// Values: the expressions of a program as polynomials.
//
// A visit of an expression notes in `Proofs` which guards it does not need. Each expression must be
// visited once, in the order in which the program runs, while the facts of its place are assumed.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bounds/conditions.h"
#include "bounds/facts.h"
#include "bounds/operations.h"
#include "bounds/proofs.h"
#include "vyre/program.h"

namespace vyre::bounds {

class Values {
 public:
  Values(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
         const std::array<std::uint32_t, 3>& workgroup, Facts& facts, Proofs& proofs);

  // Unknown if the expression is no integer scalar.
  Poly visit(ir::ExprId id);
  // The same for a bool.
  Condition visit_condition(ir::ExprId id);

  // Whether `width` elements from index * width on are proved to be in the buffer.
  bool is_inside(std::uint32_t buffer, const Poly& index, std::uint32_t width);

  // The number of the invocation in its workgroup: local_id(0) + size 0 * (local_id(1) + size 1 *
  // local_id(2)).
  Poly place_in_workgroup() const;

  void set(std::uint32_t variable, const Poly& value) { variables_[variable] = value; }
  const Poly& of(std::uint32_t variable) const { return variables_[variable]; }
  void set_condition(std::uint32_t variable, Condition condition);
  // From now on the variable has some value that nothing is known of.
  void forget(std::uint32_t variable);

 private:
  void declare_ids();
  void declare_lengths();
  Poly leaf(const ir::Expr& e);
  Poly load(ir::ExprId id);
  Poly select(const ir::Expr& e);
  Poly cast(const ir::Expr& e);
  Poly operation(ir::ExprId id);

  const ir::Program& program_;
  std::span<const std::optional<std::uint64_t>> symbols_;
  std::array<std::uint32_t, 3> workgroup_;
  Facts& facts_;
  Proofs& proofs_;
  Operations operations_;
  std::vector<Poly> ids_;  // by Expr::index
  std::vector<Poly> variables_;
  std::vector<Condition> conditions_;  // by variable: bools that are never assigned
  std::vector<Poly> lengths_;          // by buffer
};

}  // namespace vyre::bounds
