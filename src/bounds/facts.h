// Facts: inequalities that hold at some place of a program, and what follows from them.
//
// A fact is a polynomial that is not negative. A question is one too: it is answered by taking
// non-negative multiples of facts away from it until interval arithmetic shows that what is left
// is not negative. This finds n * n - 1 - (i * n + k) >= 0 from i < n and k < n: take away
// n * (n - 1 - i), then n - 1 - k, and nothing is left. The search is bounded in depth and
// in work over all questions; what it does not find counts as not proved.

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
  Atom new_atom(Range range);

  // Of everything that is known now. Of an unknown polynomial: all integers.
  Range range(const Poly& p) const;

  // From here to the release of the mark before it.
  void assume(const Poly& not_negative);

  struct Mark {
    std::size_t facts = 0;
    std::size_t ranges = 0;
  };
  Mark mark() const { return {facts_.size(), old_ranges_.size()}; }
  void release(Mark mark);

  bool holds(const Poly& not_negative);

  // Polynomials that the atom is known not to exceed, as far as they were assumed lately.
  std::vector<Poly> upper_bounds(Atom atom) const;

 private:
  // Steps that a proof may have; the last is enough for an index of four factors.
  static constexpr std::array<std::uint32_t, 3> kDepths{2, 4, 7};
  // Facts looked at: in one search, and for all of a program, which takes tens of milliseconds.
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

  std::vector<Range> atoms_;
  std::vector<Poly> facts_;
  std::map<Atom, std::vector<std::uint32_t>> by_atom_;  // facts with the atom in a negative term
  std::vector<OldRange> old_ranges_;
  std::uint32_t work_left_ = kWork;
  std::uint32_t search_left_ = 0;
};

}  // namespace vyre::bounds
