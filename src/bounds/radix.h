// Radix: numbers made of digits, such as y * width + x or global_id * items + k.
//
// A number is the sum of digits times strides. Digits are atoms that start at 0: ids and turns of
// loops. The stride of each digit is the product of the extents below it, as in a mixed radix
// numeral, so every number has its own digits. Proofs use the facts that are assumed when a
// function is called, and assume nothing when it returns.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bounds/facts.h"

namespace vyre::bounds {

// One factor of the atom in the polynomial: p = factor * atom + rest. None if the atom occurs in a
// higher power.
std::optional<Poly> factor_of(const Poly& p, Atom atom);
bool has_atom(const Poly& p, Atom atom);
// The atom that the polynomial is.
std::optional<Atom> as_atom(const Poly& p);
// p / divisor, if the divisor is one term and divides every term of p.
std::optional<Poly> exact_quotient(const Poly& p, const Poly& divisor);

struct RadixDigit {
  Atom atom = 0;
  std::optional<Poly> extent{};  // all values from 0 to extent - 1 occur; none: 0, 1, 2... occur
};

struct RadixAxis {
  Poly number{};
  Poly count{};
};

class Radix {
 public:
  using IsUniform = std::function<bool(const Poly&)>;
  Radix(Facts& facts, IsUniform is_uniform) : facts_(facts), is_uniform_(std::move(is_uniform)) {}

  // Whether all combinations of numbers from 0 to count - 1, one of each axis, are values of the
  // axes' numbers for some digits for which all guards are not negative. A digit belongs to one
  // axis. Atoms in `zeros` may be taken as 0.
  bool covers(std::span<const RadixAxis> axes, std::span<const RadixDigit> digits,
              std::span<const Atom> zeros, std::span<const Poly> guards);

  struct Digit {
    Atom atom = 0;
    Poly stride{};
  };
  // How the atoms follow from the number, outermost first: each is what is left of the number
  // divided by its stride. None if that is not proved.
  std::optional<std::vector<Digit>> decode(const Poly& number, std::span<const Atom> atoms);
  // Whether these digits follow from the number in this way.
  bool decodes(const Poly& number, Atom atom, const Poly& stride, Poly& rest);

 private:
  struct Search;
  bool place_axis(Search& search, std::size_t axis);
  bool place_digits(Search& search, std::size_t axis, const Poly& stride);
  bool verify(const Search& search);
  std::vector<Poly> extents_of(const Search& search, const RadixDigit& digit) const;

  Facts& facts_;
  IsUniform is_uniform_;
};

}  // namespace vyre::bounds
