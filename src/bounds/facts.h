// Facts: inequalities that hold at some place of a program, and the proofs that they allow.
//
// A fact is a polynomial that is not negative. A question asks whether another polynomial is not
// negative either. Example: n * n - 1 - (i * n + k) >= 0 follows from i < n and k < n, since
// subtracting n * (n - 1 - i) and then n - 1 - k leaves 0. The search for a proof (proof_search.h)
// is bounded in depth and in work over all questions; if it finds no proof, the answer is no. An
// answer is kept, and given again where the same facts hold.

#pragma once

#include <cstdint>
#include <vector>

#include "bounds/fact_store.h"
#include "bounds/proof_search.h"

namespace vyre::bounds {

class Facts {
 public:
  using Order = ProofSearch::Order;
  explicit Facts(Order order = Order::oldest_atom_first) : search_(store_, order) {}
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  Atom new_atom(Range range) { return store_.new_atom(range); }

  // The values that the polynomial can have, by all that is known now. An unknown polynomial can
  // have all integers.
  Range range(const Poly& p) const { return store_.range(p); }

  // The fact holds until a mark from before is released.
  void assume(const Poly& not_negative) { store_.assume(not_negative); }

  using Mark = FactStore::Mark;
  Mark mark() const { return store_.mark(); }
  void release(const Mark& mark) { store_.release(mark); }
  // The facts that were assumed since the mark and are not released.
  std::vector<FactId> since(const Mark& mark) const { return store_.since(mark); }
  // Makes these the facts that were assumed since the mark. Each must be one of a list that `since`
  // has returned for that mark, behind all that stand before it in that list.
  void restore(const Mark& mark, const std::vector<FactId>& facts);
  // Changes whenever a fact is assumed or released.
  std::uint64_t version() const { return store_.version(); }
  // From now on the work for a whole program is allowed again.
  void renew() { work_left_ = kWork; }

  // Whether there is a proof. False also means that the search gave up.
  bool holds(const Poly& not_negative);

  // Polynomials that the atom does not exceed, by the facts that were assumed last.
  std::vector<Poly> upper_bounds(Atom atom) const;

 private:
  // Facts that are tried for a whole program. That takes some milliseconds.
  static constexpr std::uint32_t kWork = 100'000;

  FactStore store_;
  ProofSearch search_;
  PolyTable questions_;
  PairTable answers_;  // by state and question
  std::uint32_t work_left_ = kWork;
};

}  // namespace vyre::bounds
