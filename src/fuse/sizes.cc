#include "fuse/sizes.h"

namespace vyre::fuse {
namespace {

using bounds::Poly;
using bounds::Term;
using ir::ExprId;
using ir::Op;

// The symbol that the atom is; null if it is something else.
const ir::Symbol* symbol_of(bounds::Atom atom, const Analysed& in) {
  const bounds::AtomInfo info = in.accesses.atom(atom);
  return info.kind == bounds::AtomKind::symbol ? &in.program.symbols[info.index] : nullptr;
}

}  // namespace

std::optional<Poly> translate(const Poly& size, const Analysed& from, const Analysed& to) {
  if (!size.is_known()) return std::nullopt;
  Poly out;
  for (const Term& t : size.terms()) {
    Poly product(t.coefficient);
    for (std::size_t k = 0; k < t.monomial.degree; ++k) {
      const ir::Symbol* symbol = symbol_of(t.monomial.atoms[k], from);
      if (symbol == nullptr) return std::nullopt;
      product = product * to.accesses.symbol(symbol->name);
    }
    out = out + product;
  }
  return out.is_known() ? std::optional(out) : std::nullopt;
}

// Sums and products wrap alike in u32, so the value is right even if a step in between wraps.
std::optional<ExprId> write_size(const Poly& size, const Analysed& from, ir::ProgramWriter& to) {
  ExprId sum = ir::kNone;
  for (const Term& t : size.terms()) {
    ExprId product = ir::kNone;
    const auto times = [&](ExprId factor) {
      product = product == ir::kNone ? factor : to.op(Op::mul, {product, factor});
    };
    for (std::size_t k = 0; k < t.monomial.degree; ++k) {
      const ir::Symbol* symbol = symbol_of(t.monomial.atoms[k], from);
      if (symbol == nullptr || symbol->type != ir::Scalar::u32) return std::nullopt;
      times(to.symbol_value(to.symbol(*symbol)));
    }
    if (t.coefficient != 1 || product == ir::kNone) {
      times(to.u32(static_cast<std::uint32_t>(t.coefficient)));
    }
    sum = sum == ir::kNone ? product : to.op(Op::add, {sum, product});
  }
  return sum == ir::kNone ? to.u32(0) : sum;
}

}  // namespace vyre::fuse
