#include "bounds/monomials.h"

#include <optional>
#include <utility>

namespace vyre::bounds {

MonomialId Monomials::id_of(const Monomial& m) {
  const auto [it, is_new] = ids_.try_emplace(m, static_cast<MonomialId>(all_.size()));
  if (is_new) all_.push_back(m);
  return it->second;
}

MonomialId Monomials::product(MonomialId a, MonomialId b) {
  if (a == kOne) return b;
  if (b == kOne) return a;
  if (a > b) std::swap(a, b);
  if (const std::uint32_t* known = products_.find(a, b)) return *known;
  const std::optional<Monomial> product = all_[a].times(all_[b]);
  const MonomialId out = product ? id_of(*product) : kNone;
  products_.insert(a, b, out);
  return out;
}

MonomialId Monomials::quotient(MonomialId a, MonomialId b) {
  if (b == kOne) return a;
  if (a == b) return kOne;
  if (all_[a].degree <= all_[b].degree) return kNone;
  if (const std::uint32_t* known = quotients_.find(a, b)) return *known;
  const std::optional<Monomial> quotient = all_[a].divided_by(all_[b]);
  const MonomialId out = quotient ? id_of(*quotient) : kNone;
  quotients_.insert(a, b, out);
  return out;
}

}  // namespace vyre::bounds
