// Monomials: small numbers for products of atoms.
//
// A search for a proof multiplies and divides the same few products again and again. By number,
// that is a look into a table.

#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bounds/pair_table.h"
#include "bounds/poly.h"

namespace vyre::bounds {

using MonomialId = std::uint32_t;

class Monomials {
 public:
  static constexpr MonomialId kOne = 0;  // the product of no atoms
  static constexpr MonomialId kNone = 0xffff'ffff;

  Monomials() { (void)id_of({}); }

  MonomialId id_of(const Monomial& m);
  const Monomial& operator[](MonomialId id) const { return all_[id]; }
  std::size_t size() const { return all_.size(); }

  // kNone: the product has too many atoms.
  MonomialId product(MonomialId a, MonomialId b);
  // kNone: b does not divide a.
  MonomialId quotient(MonomialId a, MonomialId b);

 private:
  struct Hash {
    std::size_t operator()(const Monomial& m) const { return hash_of(m); }
  };

  std::vector<Monomial> all_;
  std::unordered_map<Monomial, MonomialId, Hash> ids_;
  PairTable products_;
  PairTable quotients_;
};

}  // namespace vyre::bounds
