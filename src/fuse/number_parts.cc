#include "fuse/number_parts.h"

#include <algorithm>
#include <utility>

#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::fuse {
namespace {

using bounds::Accesses;
using bounds::AtomKind;
using bounds::MemoryAccess;
using bounds::Poly;
using ir::ExprId;
using ir::Op;

// How often the variables in an index are replaced by what they are made of.
constexpr std::size_t kMostExpansions = 4;

void add_part(const Accesses& accesses, NumberPart part, std::vector<NumberPart>& parts) {
  if (!part.value.is_known() || accesses.is_uniform(part.value)) return;
  const bool is_known = std::ranges::find(parts, part.value, &NumberPart::value) != parts.end();
  if (!is_known) parts.push_back(std::move(part));
}

// Collects what an expression is written with.
class Leaves {
 public:
  Leaves(const ir::Program& program, const Accesses& accesses)
      : program_(program), accesses_(accesses) {}

  // Ids and turns stay in all lists, lets are only in the list of their depth.
  std::vector<NumberPart> lasting;
  std::vector<NumberPart> lets;
  std::vector<ExprId> values_of_lets;

  void add(ExprId id) {
    const ir::Expr& e = program_.exprs[id];
    if (e.op == Op::id) {
      add_part(accesses_, {NumberDigit::Kind::id, e.index, accesses_.value(id)}, lasting);
    }
    if (e.op == Op::variable && !program_.variables[e.index].is_mutable) add_variable(e.index);
    for (const ExprId operand : ir::operands(e)) add(operand);
  }

 private:
  void add_variable(std::uint32_t variable) {
    for (ir::StmtId id = 0; id < program_.stmts.size(); ++id) {
      const ir::Stmt& s = program_.stmts[id];
      if (s.variable != variable) continue;
      if (s.kind == ir::StmtKind::let) {
        const auto value = accesses_.variable(variable);
        add_part(accesses_, {NumberDigit::Kind::variable, variable, value}, lets);
        values_of_lets.push_back(s.args[0]);
      } else if (const auto turn = accesses_.turn_of(id); s.kind == ir::StmtKind::for_ && turn) {
        add_part(accesses_, {NumberDigit::Kind::turn, id, Poly::of(*turn)}, lasting);
      }
    }
  }

  const ir::Program& program_;
  const Accesses& accesses_;
};

std::vector<NumberPart> atoms_as_parts(const Accesses& accesses, const Poly& index) {
  std::vector<NumberPart> out;
  for (const bounds::Atom atom : varying_atoms(accesses, index)) {
    const bounds::AtomInfo info = accesses.atom(atom);
    const bool is_id = info.kind == AtomKind::id;
    if (!is_id && info.kind != AtomKind::turn) continue;
    const auto kind = is_id ? NumberDigit::Kind::id : NumberDigit::Kind::turn;
    add_part(accesses, {kind, info.index, Poly::of(atom)}, out);
  }
  return out;
}

// The stride with which the part stands in the number: what the part's heaviest varying term is
// multiplied with there.
Poly stride_in(const Accesses& accesses, const Poly& number, const Poly& part) {
  const bounds::Term* lead = nullptr;
  for (const bounds::Term& t : part.terms()) {
    if (accesses.is_uniform(Poly(1).times(1, t.monomial))) continue;
    if (lead == nullptr || t.monomial.degree > lead->monomial.degree) lead = &t;
  }
  Poly out;
  for (const bounds::Term& t : number.terms()) {
    const auto rest = t.monomial.divided_by(lead->monomial);
    if (!rest || t.coefficient % lead->coefficient != 0) continue;
    out = out + Poly(1).times(t.coefficient / lead->coefficient, *rest);
  }
  return out;
}

// number = stride * part + rest with 0 <= rest < stride, so the part is number / stride, and the
// rest is looked at in the same way.
bool decode(Accesses& accesses, std::uint32_t place, const Poly& number,
            std::span<const NumberPart> parts, std::vector<PartDigit>& out) {
  if (!number.is_known()) return false;
  if (accesses.is_uniform(number)) return true;
  for (const NumberPart& part : parts) {
    const bool is_taken = std::ranges::any_of(
        out, [&](const PartDigit& digit) { return digit.part.value == part.value; });
    if (is_taken) continue;
    const Poly stride = stride_in(accesses, number, part.value);
    if (!stride.is_known() || stride.terms().empty() || !accesses.is_uniform(stride)) continue;
    const Poly rest = number - stride * part.value;
    const bool follows =
        accesses.holds(place, rest) && accesses.holds(place, stride - Poly(1) - rest);
    if (!follows) continue;
    out.push_back({part, stride});
    if (decode(accesses, place, rest, parts, out)) return true;
    out.pop_back();
  }
  return false;
}

}  // namespace

std::vector<bounds::Atom> varying_atoms(const Accesses& accesses, const Poly& p) {
  std::vector<bounds::Atom> out;
  for (const bounds::Term& t : p.terms()) {
    for (std::size_t k = 0; k < t.monomial.degree; ++k) {
      const bounds::Atom atom = t.monomial.atoms[k];
      const bool known = std::ranges::find(out, atom) != out.end();
      if (!known && !accesses.atom(atom).is_uniform) out.push_back(atom);
    }
  }
  return out;
}

std::vector<std::vector<NumberPart>> parts_of(const ir::Program& program, const Accesses& accesses,
                                              const MemoryAccess& access) {
  std::vector<std::vector<NumberPart>> out;
  std::vector<NumberPart> lasting;
  std::vector<ExprId> open{access.index_expr};
  for (std::size_t k = 0; k < kMostExpansions && !open.empty(); ++k) {
    Leaves leaves(program, accesses);
    leaves.lasting = std::move(lasting);
    for (const ExprId id : open) leaves.add(id);
    lasting = std::move(leaves.lasting);
    open = std::move(leaves.values_of_lets);
    if (leaves.lets.empty()) continue;
    out.push_back(std::move(leaves.lets));
    for (const NumberPart& part : lasting) add_part(accesses, part, out.back());
  }
  out.push_back(atoms_as_parts(accesses, access.index));
  return out;
}

std::optional<std::vector<PartDigit>> digits_of(Accesses& accesses, const MemoryAccess& access,
                                                std::span<const NumberPart> parts) {
  std::vector<PartDigit> out;
  if (parts.empty() || !decode(accesses, access.place, access.index, parts, out)) {
    return std::nullopt;
  }
  return out;
}

}  // namespace vyre::fuse
