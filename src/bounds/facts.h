// Facts: inequalities that hold at some place of a program, and the proofs that they allow.
//
// A fact is a polynomial that is not negative. A question asks whether another polynomial is not
// negative either. The search subtracts non-negative multiples of facts from it until interval
// arithmetic shows that the rest is not negative. Example: n * n - 1 - (i * n + k) >= 0 follows
// from i < n and k < n, since subtracting n * (n - 1 - i) and then n - 1 - k leaves 0. The search
// is bounded in depth and in work over all questions; if it finds no proof, the answer is no.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bounds/poly.h"

namespace vyre::bounds {

struct Range {
  Int low = 0;
  Int high = 0;
};

class Facts {
 public:
  // Which facts are tried first to prove something of a product: those of the atom that was made
  // first, or last. The latter finds more where the sizes of a launch are unknown, and less where
  // they are known.
  enum class Order : std::uint8_t { oldest_atom_first, newest_atom_first };
  explicit Facts(Order order = Order::oldest_atom_first) : order_(order) {}

  Atom new_atom(Range range);

  // The values that the polynomial can have, by all that is known now. An unknown polynomial can
  // have all integers.
  Range range(const Poly& p) const;

  // The fact holds until a mark from before is released.
  void assume(const Poly& not_negative);

  struct Mark {
    std::size_t facts = 0;
    std::size_t ranges = 0;
  };
  Mark mark() const { return {facts_.size(), old_ranges_.size()}; }
  void release(Mark mark);
  // The facts that were assumed since the mark and are not released.
  std::span<const Poly> since(Mark mark) const { return std::span(facts_).subspan(mark.facts); }
  // Changes whenever a fact is assumed or released.
  std::uint64_t version() const { return version_; }
  // From now on the work for a whole program is allowed again.
  void renew() { work_left_ = kWork; }

  // Whether there is a proof. False also means that the search gave up.
  bool holds(const Poly& not_negative);

  // Polynomials that the atom does not exceed, by the facts that were assumed last.
  std::vector<Poly> upper_bounds(Atom atom) const;

 private:
  // Most steps of a proof, in the order of the attempts. Seven are enough for an index of four
  // factors.
  static constexpr std::array<std::uint32_t, 3> kDepths{2, 4, 7};
  // Facts that are tried in one search, and for a whole program. The latter takes tens of
  // milliseconds.
  static constexpr std::uint32_t kWorkPerSearch = 150;
  static constexpr std::uint32_t kWork = 100'000;

  struct OldRange {
    Atom atom = 0;
    Range range{};
  };

  std::span<const std::uint32_t> recent(Atom atom) const;
  bool is_recent(const Poly& fact) const;
  void narrow(const Poly& fact);
  void set_range(Atom atom, Range range);
  Range range(const Monomial& m) const;
  Int least(const Monomial& m) const { return range(m).low; }
  bool search(const Poly& question, std::uint32_t depth);
  bool use(const Poly& question, const Term& target, const Poly& fact, std::uint32_t depth);
  bool use_range(const Poly& question, const Term& target, std::uint32_t depth);

  Order order_;
  std::vector<Range> atoms_;
  std::vector<Poly> facts_;
  std::map<Atom, std::vector<std::uint32_t>> by_atom_;  // facts with the atom in a negative term
  std::vector<OldRange> old_ranges_;
  std::uint64_t version_ = 0;
  std::uint32_t work_left_ = kWork;
  std::uint32_t search_left_ = 0;
};

}  // namespace vyre::bounds
