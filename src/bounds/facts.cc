#include "bounds/facts.h"

#include <algorithm>
#include <utility>

namespace vyre::bounds {
namespace {

Range product(const Range& a, const Range& b) {
  const std::array<Int, 4> corners{
      saturating_multiply(a.low, b.low), saturating_multiply(a.low, b.high),
      saturating_multiply(a.high, b.low), saturating_multiply(a.high, b.high)};
  const auto [low, high] = std::ranges::minmax(corners);
  return {low, high};
}

Range sum(const Range& a, const Range& b) {
  return {saturating_add(a.low, b.low), saturating_add(a.high, b.high)};
}

Int floor_div(Int a, Int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

// The term to cancel first: of the terms with a negative coefficient, the one of highest degree.
const Term* heaviest(const Poly& p) {
  const Term* out = nullptr;
  for (const Term& t : p.terms()) {
    if (t.coefficient >= 0 || t.monomial.degree == 0) continue;
    if (out == nullptr || t.monomial.degree > out->monomial.degree) out = &t;
  }
  return out;
}

Int gcd(Int a, Int b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// Calls f with the atoms of all negative terms; facts are found by these.
template <class F>
void for_each_negative(const Poly& fact, F f) {
  for (const Term& t : fact.terms()) {
    if (t.coefficient > 0) continue;
    for (std::size_t k = 0; k < t.monomial.degree; ++k) f(t.monomial.atoms[k]);
  }
}

}  // namespace

Atom Facts::new_atom(Range range) {
  atoms_.push_back(range);
  return static_cast<Atom>(atoms_.size() - 1);
}

Range Facts::range(const Monomial& m) const {
  Range out{1, 1};
  for (std::size_t k = 0; k < m.degree; ++k) out = product(out, atoms_[m.atoms[k]]);
  return out;
}

Range Facts::range(const Poly& p) const {
  if (!p.is_known()) return {-kMostInt, kMostInt};
  Range out;
  for (const Term& t : p.terms()) {
    out = sum(out, product(range(t.monomial), {t.coefficient, t.coefficient}));
  }
  return out;
}

void Facts::assume(const Poly& not_negative) {
  if (!not_negative.is_known() || not_negative.constant()) return;
  if (is_recent(not_negative)) return narrow(not_negative);
  const auto id = static_cast<std::uint32_t>(facts_.size());
  facts_.push_back(not_negative);
  ++version_;
  for_each_negative(not_negative, [&](Atom atom) {
    std::vector<std::uint32_t>& facts = by_atom_[atom];
    if (facts.empty() || facts.back() != id) facts.push_back(id);
  });
  narrow(not_negative);
}

// The last 32 facts with the atom in a negative term. The limit keeps large programs cheap.
std::span<const std::uint32_t> Facts::recent(Atom atom) const {
  constexpr std::size_t most = 32;
  const auto facts = by_atom_.find(atom);
  if (facts == by_atom_.end()) return {};
  return std::span(facts->second).last(std::min(facts->second.size(), most));
}

// Whether the same fact was assumed lately: an operation that occurs twice assumes it twice.
bool Facts::is_recent(const Poly& fact) const {
  for (const Term& t : fact.terms()) {
    if (t.coefficient > 0 || t.monomial.degree == 0) continue;
    const auto same = [&](std::uint32_t id) { return facts_[id] == fact; };
    return std::ranges::any_of(recent(t.monomial.atoms[0]), same);
  }
  return false;
}

void Facts::release(Mark mark) {
  if (facts_.size() > mark.facts) ++version_;
  while (facts_.size() > mark.facts) {
    const auto id = static_cast<std::uint32_t>(facts_.size() - 1);
    for_each_negative(facts_.back(), [&](Atom atom) {
      std::vector<std::uint32_t>& facts = by_atom_[atom];
      if (!facts.empty() && facts.back() == id) facts.pop_back();
    });
    facts_.pop_back();
  }
  while (old_ranges_.size() > mark.ranges) {
    atoms_[old_ranges_.back().atom] = old_ranges_.back().range;
    old_ranges_.pop_back();
  }
}

// c * a + rest >= 0 bounds the atom a, by the largest value of the rest.
void Facts::narrow(const Poly& fact) {
  for (const Term& t : fact.terms()) {
    if (t.monomial.degree != 1) continue;
    const Atom atom = t.monomial.atoms[0];
    const Int rest = range(fact - Poly::of(atom).times(t.coefficient, {})).high;
    if (rest >= kMostInt) continue;
    Range range = atoms_[atom];
    if (t.coefficient > 0)
      range.low = std::max(range.low, -floor_div(rest, t.coefficient));
    else
      range.high = std::min(range.high, floor_div(rest, -t.coefficient));
    set_range(atom, range);
  }
}

void Facts::set_range(Atom atom, Range range) {
  const Range& old = atoms_[atom];
  // An empty range means that this place is never reached, and there any range is true.
  if (range.low > range.high || (range.low == old.low && range.high == old.high)) return;
  old_ranges_.push_back({atom, old});
  atoms_[atom] = range;
}

std::vector<Poly> Facts::upper_bounds(Atom atom) const {
  std::vector<Poly> out;
  for (const std::uint32_t fact : recent(atom)) {
    const Poly bound = facts_[fact] + Poly::of(atom);
    const bool gone = std::ranges::none_of(bound.terms(), [&](const Term& t) {
      return t.monomial.divided_by(Monomial{{atom}, 1}).has_value();
    });
    if (gone) out.push_back(bound);
  }
  return out;
}

// Short proofs are tried first: most proofs are short, and a deep search may use up its work on the
// wrong facts.
bool Facts::holds(const Poly& not_negative) {
  for (const std::uint32_t depth : kDepths) {
    const std::uint32_t given = std::min(work_left_, kWorkPerSearch);
    search_left_ = given;
    const bool found = search(not_negative, depth);
    work_left_ -= given - search_left_;
    if (found) return true;
  }
  return false;
}

// Picks the term that most needs to go, and tries every fact that can cancel it. The rest is a new
// question, with one step less.
bool Facts::search(const Poly& question, std::uint32_t depth) {
  if (!question.is_known()) return false;
  if (range(question).low >= 0) return true;
  const Term* target = heaviest(question);
  if (target == nullptr || depth == 0) return false;
  const std::size_t degree = target->monomial.degree;
  for (std::size_t k = 0; k < degree; ++k) {
    const std::size_t place = order_ == Order::newest_atom_first ? degree - 1 - k : k;
    const auto facts = by_atom_.find(target->monomial.atoms[place]);
    if (facts == by_atom_.end()) continue;
    // The newest first: they come from the conditions right around the question.
    for (std::size_t i = facts->second.size(); i > 0; --i) {
      if (search_left_ == 0) return false;
      --search_left_;
      const std::uint32_t fact = facts->second[i - 1];
      if (use(question, *target, facts_[fact], depth)) return true;
    }
  }
  return use_range(question, *target, depth);
}

// Subtracts the multiple of the fact that cancels the target. If the fact's term is the target
// times further factors, all at least 1, then the target is at most that term and is replaced by
// it.
bool Facts::use(const Poly& question, const Term& target, const Poly& fact, std::uint32_t depth) {
  for (const Term& t : fact.terms()) {
    if (t.coefficient >= 0 || t.monomial.degree == 0) continue;
    const Int common = gcd(-target.coefficient, -t.coefficient);
    const Int scale = -t.coefficient / common;
    const Int factor = -target.coefficient / common;
    Poly scaled = question.times(scale, {});
    if (const auto rest = target.monomial.divided_by(t.monomial); rest && least(*rest) >= 0) {
      if (search(scaled - fact.times(factor, *rest), depth - 1)) return true;
    } else if (const auto more = t.monomial.divided_by(target.monomial);
               more && least(*more) >= 1 && least(target.monomial) >= 0) {
      const Poly grown = Poly(-factor * -t.coefficient).times(1, t.monomial);
      const Poly cut = Poly(factor * -t.coefficient).times(1, target.monomial);
      if (search(scaled + cut + grown - fact.times(factor, {}), depth - 1)) return true;
    }
  }
  return false;
}

// Replaces the target by its largest value, a number.
bool Facts::use_range(const Poly& question, const Term& target, std::uint32_t depth) {
  const Int high = range(target.monomial).high;
  if (high >= kMostInt) return false;
  const Int least = saturating_multiply(target.coefficient, high);
  const Poly rest = question - Poly(target.coefficient).times(1, target.monomial);
  return search(rest + Poly(least), depth - 1);
}

}  // namespace vyre::bounds
