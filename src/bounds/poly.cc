#include "bounds/poly.h"

#include <algorithm>

namespace vyre::bounds {
namespace {

Int clamped(Int a) { return std::clamp<Int>(a, -kMostInt, kMostInt); }

// One more word in a hash.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 32U;
}

}  // namespace

Int saturating_add(Int a, Int b) { return clamped(clamped(a) + clamped(b)); }

Int saturating_multiply(Int a, Int b) {
  const auto is_short = [](Int x) { return x == static_cast<std::int64_t>(x); };
  if (is_short(a) && is_short(b)) return clamped(a * b);
  Int out = 0;
  if (!__builtin_mul_overflow(a, b, &out)) return clamped(out);
  return (a < 0) == (b < 0) ? kMostInt : -kMostInt;
}

std::strong_ordering Monomial::operator<=>(const Monomial& other) const {
  for (std::size_t k = 0; k < kMostAtoms; ++k) {
    if (atoms[k] != other.atoms[k]) return atoms[k] <=> other.atoms[k];
  }
  return degree <=> other.degree;
}

std::optional<Monomial> Monomial::times(const Monomial& other) const {
  if (degree + other.degree > kMostAtoms) return std::nullopt;
  Monomial out;
  out.degree = static_cast<std::uint8_t>(degree + other.degree);
  std::merge(atoms.begin(), atoms.begin() + degree, other.atoms.begin(),
             other.atoms.begin() + other.degree, out.atoms.begin());
  return out;
}

std::optional<Monomial> Monomial::divided_by(const Monomial& other) const {
  const auto end = atoms.begin() + degree;
  const auto other_end = other.atoms.begin() + other.degree;
  if (!std::includes(atoms.begin(), end, other.atoms.begin(), other_end)) return std::nullopt;
  Monomial out;
  out.degree = static_cast<std::uint8_t>(degree - other.degree);
  std::set_difference(atoms.begin(), end, other.atoms.begin(), other_end, out.atoms.begin());
  return out;
}

std::size_t hash_of(const Monomial& m) {
  const auto two = [&](std::size_t k) { return std::uint64_t{m.atoms[k]} << 32U | m.atoms[k + 1]; };
  return mixed(mixed(m.degree, two(0)), two(2));
}

std::size_t hash_of(const Poly& p) {
  std::uint64_t out = p.is_known() ? 1 : 0;
  for (const Term& t : p.terms()) {
    out = mixed(out, hash_of(t.monomial));
    out = mixed(out, static_cast<std::uint64_t>(t.coefficient));
    out = mixed(out, static_cast<std::uint64_t>(t.coefficient >> 64U));
  }
  return out;
}

Poly::Poly(Int constant) {
  if (constant != 0) terms_.push_back({{}, constant});
}

Poly Poly::unknown() {
  Poly out;
  out.known_ = false;
  return out;
}

Poly Poly::of(Atom atom) {
  Poly out;
  out.terms_.push_back({Monomial{{atom}, 1}, 1});
  return out;
}

std::optional<Int> Poly::constant() const {
  if (!known_ || terms_.size() > 1) return std::nullopt;
  if (terms_.empty()) return Int{0};
  return terms_[0].monomial.degree == 0 ? std::optional(terms_[0].coefficient) : std::nullopt;
}

bool Poly::is_too_large() const {
  return terms_.size() > kMostTerms || std::ranges::any_of(terms_, [](const Term& t) {
           return bounds::is_too_large(t.coefficient);
         });
}

Poly Poly::combined(const Poly& a, const Poly& b, Int sign) {
  if (!a.known_ || !b.known_) return unknown();
  Poly out;
  out.terms_.reserve(a.terms_.size() + b.terms_.size());
  auto i = a.terms_.begin();
  auto j = b.terms_.begin();
  while (i != a.terms_.end() || j != b.terms_.end()) {
    const bool take_a = j == b.terms_.end() || (i != a.terms_.end() && i->monomial <= j->monomial);
    const bool take_b = i == a.terms_.end() || (j != b.terms_.end() && j->monomial <= i->monomial);
    Term t{take_a ? i->monomial : j->monomial, 0};
    if (take_a) t.coefficient += (i++)->coefficient;
    if (take_b) t.coefficient += sign * (j++)->coefficient;
    if (t.coefficient != 0) out.terms_.push_back(t);
  }
  return out.is_too_large() ? unknown() : out;
}

Poly operator+(const Poly& a, const Poly& b) { return Poly::combined(a, b, 1); }
Poly operator-(const Poly& a, const Poly& b) { return Poly::combined(a, b, -1); }

Poly operator*(const Poly& a, const Poly& b) {
  if (!a.known_) return a;
  if (b.known_ && b.terms_.size() == 1)
    return a.times(b.terms_[0].coefficient, b.terms_[0].monomial);
  Poly out;
  for (const Term& t : b.terms_) out = out + a.times(t.coefficient, t.monomial);
  return b.known_ ? out : Poly::unknown();
}

Poly Poly::times(Int factor, const Monomial& monomial) const {
  Poly out;
  out.terms_.reserve(terms_.size());
  for (const Term& t : terms_) {
    const auto product = t.monomial.times(monomial);
    const Int coefficient = saturating_multiply(t.coefficient, factor);
    if (!product || bounds::is_too_large(coefficient)) return unknown();
    if (coefficient != 0) out.terms_.push_back({*product, coefficient});
  }
  out.known_ = known_;
  if (monomial.degree > 0) std::ranges::sort(out.terms_, {}, &Term::monomial);
  return out;
}

}  // namespace vyre::bounds
