// Operations: the integer operations of ops.def on polynomials.
//
// An operation that cannot wrap is a polynomial of its operands. The result of any other one is an
// atom; the facts that bound it (a remainder is less than its divisor) are assumed.

#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bounds/facts.h"
#include "bounds/proofs.h"
#include "vyre/program.h"

namespace vyre::bounds {

class Operations {
 public:
  // Keeps references to all three.
  Operations(const ir::Program& program, Facts& facts, Proofs& proofs)
      : program_(program), facts_(facts), proofs_(proofs) {}

  // The value of expression `id`, an integer scalar, on these operands; b is 0 if it has only one.
  // Notes in Proofs::plain whether C's operator gives that value.
  Poly apply(ir::ExprId id, const Poly& a, const Poly& b);

  // While this is true, results are known to fit in their types.
  bool never_wraps = false;
  // Remainders are a - (a / b) * b instead of atoms: so that (i / w) * w + i % w is i.
  bool exact_remainders = false;

  // All values that an integer of the type can have.
  static Range range_of(ir::Scalar type);
  // Some value of the type that nothing is known of.
  Poly fresh(ir::Scalar type) { return Poly::of(facts_.new_atom(range_of(type))); }
  // The atom for this operation on these operands: the same for the same ones.
  Poly named(std::string_view op, ir::Scalar type, const Poly& a, const Poly& b = {});

  // The atom of `named`, if it was made.
  std::optional<Poly> find_named(std::string_view op, ir::Scalar type, const Poly& a,
                                 const Poly& b) const;

  // The operands of an atom that is the smaller of two values.
  std::optional<std::pair<Poly, Poly>> operands_of_min(Atom atom) const;

  // An atom is uniform if it is the same for all invocations: atoms that `named` makes of uniform
  // ones, and those that were marked.
  void mark_uniform(Atom atom);
  bool is_uniform(const Poly& p) const;

  // From now on it is known that this value, a length, fits in a u32. So what is proved to be below
  // it fits too.
  void add_length(const Poly& length);

  void assume_within(const Poly& p, Range range);
  bool fits(const Poly& p, ir::Scalar type);

 private:
  // An operation on operands. The text lives as long as the program runs.
  struct Name {
    std::string_view op;
    ir::Scalar type;
    Poly a;
    Poly b;
    bool operator==(const Name&) const = default;
  };
  struct NameHash {
    std::size_t operator()(const Name& name) const;
  };

  bool is_below_length(const Poly& p);
  Poly arithmetic(ir::ExprId id, const Poly& a, const Poly& b);
  Poly division(ir::ExprId id, const Poly& a, const Poly& b);
  Poly quotient(ir::Scalar type, const Poly& a, const Poly& b);
  Poly remainder(ir::Scalar type, const Poly& a, const Poly& b);
  Poly shift(ir::ExprId id, const Poly& a, const Poly& count);
  Poly extreme(const ir::Expr& e, const Poly& a, const Poly& b);
  Poly bits(const ir::Expr& e, const Poly& a, const Poly& b);

  const ir::Program& program_;
  Facts& facts_;
  Proofs& proofs_;
  std::unordered_map<Name, Atom, NameHash> named_;
  std::vector<bool> uniform_;                   // by atom; those behind the end are not
  std::map<Atom, std::pair<Poly, Poly>> mins_;  // by atom: its operands
  std::vector<Poly> lengths_;                   // the one that was of use last is first
};

}  // namespace vyre::bounds
