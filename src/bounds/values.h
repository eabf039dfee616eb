// Values: what the expressions of a program are, as polynomials, and what that proves of them.
//
// Visiting an expression notes in `Proofs` what needs no guard there. Visits must follow the order
// in which a program runs, with the facts of the place assumed, and each expression has one visit.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bounds/facts.h"
#include "bounds/proofs.h"
#include "vyre/program.h"

namespace vyre::bounds {

// What follows if a condition holds and if it does not: facts.
struct Condition {
  std::vector<Poly> yes{};
  std::vector<Poly> no{};
};

class Values {
 public:
  Values(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
         const std::array<std::uint32_t, 3>& workgroup, Facts& facts, Proofs& proofs);

  // Unknown for what is no integer scalar.
  Poly visit(ir::ExprId id);
  // For a bool.
  Condition visit_condition(ir::ExprId id);

  bool is_inside(std::uint32_t buffer, const Poly& index, std::uint32_t width);

  // local_id(0) + size 0 * (local_id(1) + size 1 * local_id(2)).
  Poly place_in_workgroup() const;

  // A variable gets a value, or some value that nothing is known of.
  void set(std::uint32_t variable, const Poly& value) { variables_[variable] = value; }
  const Poly& of(std::uint32_t variable) const { return variables_[variable]; }
  void set_condition(std::uint32_t variable, Condition condition);
  void forget(std::uint32_t variable);

  // All values that an integer of the type can have.
  static Range range_of(ir::Scalar type);
  Poly fresh(ir::Scalar type) { return Poly::of(facts_.new_atom(range_of(type))); }

 private:
  void declare_ids();
  void declare_lengths();
  Poly leaf(const ir::Expr& e);
  Poly load(ir::ExprId id);
  Poly select(const ir::Expr& e);
  Poly cast(const ir::Expr& e);
  Poly operation(ir::ExprId id);
  Poly arithmetic(ir::ExprId id, const Poly& a, const Poly& b);
  Poly division(ir::ExprId id, const Poly& a, const Poly& b);
  Poly quotient(ir::Scalar type, const Poly& a, const Poly& b);
  Poly remainder(ir::Scalar type, const Poly& a, const Poly& b);
  Poly shift(ir::ExprId id, const Poly& a, const Poly& count);
  Poly extreme(const ir::Expr& e, const Poly& a, const Poly& b);
  Poly bits(const ir::Expr& e, const Poly& a, const Poly& b);
  Condition comparison(const ir::Expr& e);

  // The atom for this operation on these operands: the same for the same ones.
  Poly named(std::string_view op, ir::Scalar type, const Poly& a, const Poly& b = {});
  void assume_within(const Poly& p, Range range);
  bool fits(const Poly& p, ir::Scalar type);
  bool is_positive(const Poly& p) { return facts_.holds(p - Poly(1)); }

  const ir::Program& program_;
  std::span<const std::optional<std::uint64_t>> symbols_;
  std::array<std::uint32_t, 3> workgroup_;
  Facts& facts_;
  Proofs& proofs_;
  std::map<std::string, Atom> named_;
  std::vector<Poly> ids_;  // by Expr::index
  std::vector<Poly> variables_;
  std::vector<Condition> conditions_;  // by variable: bools that are never assigned
  std::vector<Poly> lengths_;          // by buffer
  bool in_length_ = false;             // dispatch has seen to it that nothing wraps there
};

}  // namespace vyre::bounds
