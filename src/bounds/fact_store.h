// FactStore: what is known at the current place of a program. Ranges of atoms, and facts about
// them.
//
// Facts are polynomials that are not negative. They have numbers, the same for equal ones, and are
// held in a stack: a mark is taken on entering a branch, and released on leaving it. A state is a
// number for all that is held, so that what was proved in a state need not be proved again when the
// same facts are held again.

#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "bounds/monomials.h"
#include "bounds/pair_table.h"
#include "bounds/poly_table.h"
#include "bounds/range.h"

namespace vyre::bounds {

// A term with a number for its product of atoms.
struct NumberedTerm {
  MonomialId monomial = 0;
  Int factor = 0;
};

using FactId = PolyId;

struct Fact {
  Poly poly;
  std::vector<NumberedTerm> terms;  // in the order of poly's
  std::vector<Atom> bounded;        // atoms of negative terms, each once; facts are found by these
};

class FactStore {
 public:
  Atom new_atom(Range range);

  // The values that the polynomial can have. An unknown polynomial can have all integers.
  Range range(const Poly& p) const;
  // The same for a product of atoms.
  Range range(MonomialId id);

  void assume(const Poly& not_negative);
  // A fact that was held before, where it was not held twice.
  void push(FactId id);

  struct Mark {
    std::size_t facts = 0;
    std::size_t ranges = 0;
    std::uint32_t state = 0;
  };
  Mark mark() const { return {held_.size(), old_ranges_.size(), state_}; }
  void release(const Mark& mark);
  // The mark in front of a fact that is held, or behind the last one. Between the two marks, facts
  // were only pushed.
  Mark mark_at(std::size_t facts) const;
  std::vector<FactId> since(const Mark& mark) const;

  std::uint64_t version() const { return version_; }  // changes with the facts that are held
  // Equal only if the same facts are held and all atoms have the same ranges.
  std::uint32_t state() const { return state_; }

  // Facts with the atom in a negative term, the oldest first.
  std::span<const FactId> about(Atom atom) const { return by_atom_[atom]; }
  // The last 32 of them. The limit keeps large programs cheap.
  std::span<const FactId> recent(Atom atom) const;
  const Fact& fact(FactId id) const { return facts_[id]; }

  Monomials monomials;

 private:
  struct Held {
    FactId id = 0;
    std::size_t ranges = 0;   // of old_ranges_, before
    std::uint32_t state = 0;  // before
  };
  struct OldRange {
    Atom atom = 0;
    Range range{};
  };
  struct CachedRange {
    Range range{};
    std::uint64_t stamp = 0;
  };

  FactId id_of(const Poly& p);
  bool is_recent(FactId id) const;
  void narrow(const Fact& fact);
  Int highest_without(const Fact& fact, std::size_t term) const;
  void set_range(Atom atom, Range range);
  Range range_of(const Monomial& m) const;
  void enter_state(FactId id, bool is_held);

  std::vector<Range> atoms_;
  PolyTable ids_;
  std::deque<Fact> facts_;  // by number
  std::vector<Held> held_;
  std::vector<std::vector<FactId>> by_atom_;
  std::vector<OldRange> old_ranges_;
  std::vector<CachedRange> cached_;  // by MonomialId
  std::uint64_t range_stamp_ = 1;
  std::uint64_t version_ = 0;
  PairTable states_;
  std::uint32_t state_ = 0;
};

}  // namespace vyre::bounds
