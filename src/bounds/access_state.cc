#include "bounds/access_state.h"

namespace vyre::bounds {
namespace {

using ir::IdKind;

Proofs empty_proofs(const ir::Program& program) {
  Proofs out;
  out.inside.resize(program.exprs.size());
  out.plain.resize(program.exprs.size());
  out.inside_stmt.resize(program.stmts.size());
  out.own_element.resize(program.stmts.size());
  out.counts_up.resize(program.stmts.size());
  return out;
}

}  // namespace

AccessState::AccessState(const ir::Program& p, const Assumptions& a)
    : program(p),
      symbols(a.symbols.begin(), a.symbols.end()),
      proofs(empty_proofs(p)),
      walk(p, knowledge(a), facts, proofs, a.opaque),
      radix(facts, [this](const Poly& q) { return is_uniform(q); }) {
  walk.run();
  facts.release(walk.base);
  facts.renew();
  describe_atoms();
}

LaunchKnowledge AccessState::knowledge(const Assumptions& a) {
  symbols.resize(program.symbols.size());
  return {.symbols = symbols,
          .sizes = a.workgroup,
          .groups = a.groups,
          .most_length = a.most_length,
          .most_tunable = a.most_tunable};
}

void AccessState::describe_atoms() {
  const auto describe = [&](const Poly& p, AtomKind kind, std::uint32_t index) {
    const auto atom = as_atom(p);
    if (atom) walk.atoms.try_emplace(*atom, AtomInfo{kind, index, false});
  };
  for (std::uint32_t k = 0; k < program.symbols.size(); ++k) {
    describe(walk.values().symbol(k), AtomKind::symbol, k);
  }
  for (const IdKind kind :
       {IdKind::global_id, IdKind::local_id, IdKind::group_id, IdKind::groups}) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      describe(id(kind, axis), AtomKind::id, ir::id_index(kind, axis));
    }
  }
}

void AccessState::enter(std::uint32_t place) {
  facts.renew();
  if (entered_ == place) return;
  entered_ = place;
  static const std::vector<FactId> none;
  facts.restore(walk.base, place == ir::kNone ? none : walk.places[place].facts);
}

// The global id stands for both others where it is used itself.
void AccessState::add_ids(std::uint32_t axis, const std::function<bool(Atom)>& is_used,
                          std::vector<RadixDigit>& digits, std::vector<Atom>& zeros) {
  const Poly size = id(IdKind::local_size, axis);
  const Poly groups = id(IdKind::groups, axis);
  const auto global = as_atom(id(IdKind::global_id, axis));
  if (global && is_used(*global)) {
    digits.push_back({*global, size * groups});
    return;
  }
  bool is_any_used = false;
  const auto add = [&](IdKind kind, const Poly& extent) {
    const auto atom = as_atom(id(kind, axis));
    if (!atom) return;
    if (!is_used(*atom)) return zeros.push_back(*atom);
    digits.push_back({*atom, extent});
    is_any_used = true;
  };
  add(IdKind::local_id, size);
  add(IdKind::group_id, groups);
  if (global && !is_any_used) zeros.push_back(*global);
}

Atom AccessState::lane(std::uint32_t width) {
  const auto known = lanes_.find(width);
  if (known != lanes_.end()) return known->second;
  return lanes_[width] = facts.new_atom({0, Int{width} - 1});
}

Poly AccessState::varying_part(const Poly& p) {
  Poly out = p;
  for (const Term& t : p.terms()) {
    const Poly term = Poly(t.coefficient).times(1, t.monomial);
    if (is_uniform(term)) out = out - term;
  }
  return out;
}

}  // namespace vyre::bounds
