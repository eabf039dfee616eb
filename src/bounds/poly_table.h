// PolyTable: numbers for polynomials, the same for equal ones.

#pragma once

#include <cstdint>
#include <unordered_map>

#include "bounds/poly.h"

namespace vyre::bounds {

using PolyId = std::uint32_t;

class PolyTable {
 public:
  // Numbers are given in the order of the first question: 0, 1, 2...
  PolyId id_of(const Poly& p) {
    return ids_.try_emplace(p, static_cast<PolyId>(ids_.size())).first->second;
  }
  std::size_t size() const { return ids_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Poly& p) const { return hash_of(p); }
  };

  std::unordered_map<Poly, PolyId, Hash> ids_;
};

}  // namespace vyre::bounds
