// LoadIndex: the digits of an element's number where a program loads it.
//
// A producer writes element y * w + x and computes it from y and x. A consumer that loads element
// (v + 1) * w + u, with 0 <= u < w proved, needs neither division nor remainder to find them: y is
// v + 1 and x is u. This module finds such parts in the polynomial of an index, and the expressions
// that have their values.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bounds/accesses.h"
#include "fuse/producer.h"
#include "ir/rewrite/rewriter.h"
#include "vyre/program.h"

namespace vyre::fuse {

// The size as a polynomial of another program; unknown if that program lacks one of its symbols.
bounds::Poly poly_of(const Size& size, const bounds::Accesses& accesses);

// The size as an expression (u32). `symbols_of` is a program that has its symbols.
ir::ExprId write_size(const Size& size, const ir::Program& symbols_of, ir::ProgramWriter& to);

// The digits of the access's index, as polynomials of its program. None if it is not proved that
// each digit but the first stays below the quotient of its strides.
std::optional<std::vector<bounds::Poly>> split_index(bounds::Accesses& accesses,
                                                     const bounds::MemoryAccess& access,
                                                     const std::vector<NumberDigit>& digits);

// Writes expressions with the value of polynomials, made of parts of one index expression.
class PolyWriter {
 public:
  // `rewriter` is rewriting the program of `accesses`, at the place of the access.
  PolyWriter(const ir::Program& program, const bounds::Accesses& accesses,
             const bounds::MemoryAccess& access, ir::Rewriter& rewriter, ir::ProgramWriter& to);

  // Whether `write` can.
  bool can_write(const bounds::Poly& p) const;
  ir::ExprId write(const bounds::Poly& p);  // u32

 private:
  void collect(ir::ExprId root);
  ir::ExprId find(const bounds::Poly& p) const;
  bool can_write(bounds::Atom atom) const;
  ir::ExprId write(bounds::Atom atom);
  ir::ExprId write_product(const bounds::Term& term, bounds::Int factor);
  ir::ExprId write_sum(const bounds::Poly& p, bool negative, ir::ExprId sum);

  const ir::Program& program_;
  const bounds::Accesses& accesses_;
  ir::Rewriter& rewriter_;
  ir::ProgramWriter& to_;
  std::vector<ir::ExprId> parts_;  // expressions that may be written again at the place
};

}  // namespace vyre::fuse
