#include "bounds/fact_store.h"

#include <algorithm>

namespace vyre::bounds {

Atom FactStore::new_atom(Range range) {
  atoms_.push_back(range);
  by_atom_.emplace_back();
  return static_cast<Atom>(atoms_.size() - 1);
}

Range FactStore::range_of(const Monomial& m) const {
  if (m.degree == 0) return {1, 1};
  Range out = atoms_[m.atoms[0]];
  for (std::size_t k = 1; k < m.degree; ++k) out = product(out, atoms_[m.atoms[k]]);
  return out;
}

Range FactStore::range(const Poly& p) const {
  if (!p.is_known()) return {-kMostInt, kMostInt};
  Range out;
  for (const Term& t : p.terms()) out = sum(out, scaled(range_of(t.monomial), t.coefficient));
  return out;
}

Range FactStore::range(MonomialId id) {
  if (id >= cached_.size()) cached_.resize(std::max<std::size_t>(2 * cached_.size(), id + 64));
  CachedRange& cached = cached_[id];
  if (cached.stamp != range_stamp_) cached = {range_of(monomials[id]), range_stamp_};
  return cached.range;
}

FactId FactStore::id_of(const Poly& p) {
  const FactId id = ids_.id_of(p);
  if (id < facts_.size()) return id;
  Fact& fact = facts_.emplace_back(Fact{p, {}, {}});
  for (const Term& t : p.terms()) {
    fact.terms.push_back({monomials.id_of(t.monomial), t.coefficient});
    if (t.coefficient > 0) continue;
    for (std::size_t k = 0; k < t.monomial.degree; ++k) {
      const Atom atom = t.monomial.atoms[k];
      const bool is_known = std::ranges::find(fact.bounded, atom) != fact.bounded.end();
      if (!is_known) fact.bounded.push_back(atom);
    }
  }
  return id;
}

void FactStore::assume(const Poly& not_negative) {
  if (!not_negative.is_known() || not_negative.constant()) return;
  const FactId id = id_of(not_negative);
  if (!is_recent(id)) return push(id);
  const std::size_t before = old_ranges_.size();
  narrow(facts_[id]);
  if (old_ranges_.size() != before) enter_state(id, false);
}

void FactStore::push(FactId id) {
  held_.push_back({id, old_ranges_.size(), state_});
  ++version_;
  for (const Atom atom : facts_[id].bounded) by_atom_[atom].push_back(id);
  narrow(facts_[id]);
  enter_state(id, true);
}

// What is known behind a step follows from the state before it and from the step: a fact that was
// added, or one that is held already and narrowed ranges once more.
void FactStore::enter_state(FactId id, bool is_held) {
  const std::uint32_t step = 2 * id + (is_held ? 1 : 0);
  if (const std::uint32_t* known = states_.find(state_, step)) {
    state_ = *known;
    return;
  }
  const auto state = static_cast<std::uint32_t>(states_.size() + 1);
  states_.insert(state_, step, state);
  state_ = state;
}

std::span<const FactId> FactStore::recent(Atom atom) const {
  constexpr std::size_t most = 32;
  return about(atom).last(std::min(about(atom).size(), most));
}

// Whether the same fact was assumed lately: an operation that occurs twice assumes it twice.
bool FactStore::is_recent(FactId id) const {
  const Fact& fact = facts_[id];
  if (fact.bounded.empty()) return false;
  const auto held = recent(fact.bounded[0]);
  return std::ranges::find(held, id) != held.end();
}

void FactStore::release(const Mark& mark) {
  if (held_.size() > mark.facts) ++version_;
  while (held_.size() > mark.facts) {
    for (const Atom atom : facts_[held_.back().id].bounded) by_atom_[atom].pop_back();
    held_.pop_back();
  }
  if (old_ranges_.size() > mark.ranges) ++range_stamp_;
  while (old_ranges_.size() > mark.ranges) {
    atoms_[old_ranges_.back().atom] = old_ranges_.back().range;
    old_ranges_.pop_back();
  }
  state_ = mark.state;
}

FactStore::Mark FactStore::mark_at(std::size_t facts) const {
  if (facts >= held_.size()) return mark();
  return {facts, held_[facts].ranges, held_[facts].state};
}

std::vector<FactId> FactStore::since(const Mark& mark) const {
  std::vector<FactId> out;
  for (std::size_t k = mark.facts; k < held_.size(); ++k) out.push_back(held_[k].id);
  return out;
}

// c * a + rest >= 0 bounds the atom a, by the largest value of the rest.
void FactStore::narrow(const Fact& fact) {
  for (std::size_t k = 0; k < fact.terms.size(); ++k) {
    const Term& t = fact.poly.terms()[k];
    if (t.monomial.degree != 1) continue;
    const Atom atom = t.monomial.atoms[0];
    const Int rest = highest_without(fact, k);
    if (rest >= kMostInt) continue;
    Range range = atoms_[atom];
    if (t.coefficient > 0)
      range.low = std::max(range.low, -floor_div(rest, t.coefficient));
    else
      range.high = std::min(range.high, floor_div(rest, -t.coefficient));
    set_range(atom, range);
  }
}

Int FactStore::highest_without(const Fact& fact, std::size_t term) const {
  Range out;
  for (std::size_t k = 0; k < fact.terms.size(); ++k) {
    const Term& t = fact.poly.terms()[k];
    if (k != term) out = sum(out, scaled(range_of(t.monomial), t.coefficient));
  }
  return out.high;
}

void FactStore::set_range(Atom atom, Range range) {
  const Range& old = atoms_[atom];
  // An empty range means that this place is never reached, and there any range is true.
  if (range.low > range.high || range == old) return;
  old_ranges_.push_back({atom, old});
  atoms_[atom] = range;
  ++range_stamp_;
}

}  // namespace vyre::bounds
