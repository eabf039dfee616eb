#include "bounds/question.h"

namespace vyre::bounds {
bool Question::set(const Poly& p, Monomials& monomials) {
  size_ = 0;
  for (const Term& t : p.terms()) add(monomials.id_of(t.monomial), t.coefficient);
  return p.is_known();
}

bool Question::set(const Question& other, const Addition& addition) {
  size_ = other.size_;
  for (std::size_t k = 0; k < size_; ++k) {
    monomials_[k] = other.monomials_[k];
    factors_[k] = addition.scale == 1 ? other.factors_[k]
                                      : saturating_multiply(other.factors_[k], addition.scale);
    if (is_too_large(factors_[k])) return false;
  }
  for (std::size_t k = 0; k < addition.size; ++k) add(addition.monomials[k], addition.factors[k]);
  for (std::size_t k = 0; k < size_;) {
    if (is_too_large(factors_[k])) return false;
    if (factors_[k] == 0) {
      monomials_[k] = monomials_[--size_];
      factors_[k] = factors_[size_];
    } else {
      ++k;
    }
  }
  return size_ <= Poly::kMostTerms;
}

void Question::add(MonomialId monomial, Int factor) {
  for (std::size_t k = 0; k < size_; ++k) {
    if (monomials_[k] != monomial) continue;
    factors_[k] += factor;
    return;
  }
  monomials_[size_] = monomial;
  factors_[size_++] = factor;
}

// A sum, so that the order of the terms does not matter.
std::uint64_t Question::hash() const {
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < size_; ++k) {
    const auto low = static_cast<std::uint64_t>(factors_[k]);
    const auto high = static_cast<std::uint64_t>(factors_[k] >> 64U);
    std::uint64_t term = (low ^ monomials_[k] * 0xff51afd7ed558ccdU) * 0x9e3779b97f4a7c15U;
    term = (term ^ term >> 32U ^ high) * 0xc4ceb9fe1a85ec53U;
    out += term ^ term >> 29U;
  }
  return out;
}

}  // namespace vyre::bounds
