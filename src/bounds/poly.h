// Polynomials with integer coefficients over atoms: exact values, as far as the analysis knows
// them.
//
// An atom stands for one unknown integer: a symbol, an id, a loop's variable, or a result about
// which nothing more is known. Arithmetic here never wraps. A polynomial that grows too large
// becomes "unknown", and nothing can be proved about an unknown polynomial.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace vyre::bounds {

__extension__ using Int = __int128;

using Atom = std::uint32_t;

// Sums and products that are clamped to plus and minus this.
inline constexpr Int kMostInt = Int{1} << 120U;
Int saturating_add(Int a, Int b);
Int saturating_multiply(Int a, Int b);
// Whether nothing can be said of a polynomial with this factor.
inline bool is_too_large(Int factor) { return factor <= -kMostInt || factor >= kMostInt; }

// A product of atoms, smallest first. The product of no atoms is 1.
struct Monomial {
  static constexpr std::size_t kMostAtoms = 4;
  std::array<Atom, kMostAtoms> atoms{};
  std::uint8_t degree = 0;

  bool operator==(const Monomial&) const = default;
  std::strong_ordering operator<=>(const Monomial& other) const;

  std::optional<Monomial> times(const Monomial& other) const;
  std::optional<Monomial> divided_by(const Monomial& other) const;
};

// The same for equal ones, on every machine.
std::size_t hash_of(const Monomial& m);

struct Term {
  Monomial monomial;
  Int coefficient = 0;

  bool operator==(const Term&) const = default;
};

class Poly {
 public:
  static constexpr std::size_t kMostTerms = 24;

  Poly() = default;  // 0
  explicit Poly(Int constant);
  static Poly unknown();
  static Poly of(Atom atom);

  bool is_known() const { return known_; }
  const std::vector<Term>& terms() const { return terms_; }  // by monomial, none with factor 0
  std::optional<Int> constant() const;                       // if it is one

  friend Poly operator+(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a, const Poly& b);
  friend Poly operator*(const Poly& a, const Poly& b);
  Poly times(Int factor, const Monomial& monomial) const;
  bool operator==(const Poly&) const = default;

 private:
  static Poly combined(const Poly& a, const Poly& b, Int sign);
  bool is_too_large() const;

  std::vector<Term> terms_;
  bool known_ = true;
};

std::size_t hash_of(const Poly& p);

}  // namespace vyre::bounds
