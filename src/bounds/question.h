// Question: a polynomial as a search for proofs works on it, without memory from the heap.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bounds/fact_store.h"

namespace vyre::bounds {

// What is added to a multiple of a question: at most as many terms as a polynomial has.
struct Addition {
  Addition() {}  // NOLINT(modernize-use-equals-default, cppcoreguidelines-pro-type-member-init)

  Int scale = 1;  // of the question
  std::array<MonomialId, Poly::kMostTerms> monomials;
  std::array<Int, Poly::kMostTerms> factors;
  std::size_t size = 0;
};

class Question {
 public:
  // There is room for far more terms than are used: to fill it with zeros would cost more than the
  // rest of a step.
  Question() {}  // NOLINT(modernize-use-equals-default, cppcoreguidelines-pro-type-member-init)

  std::size_t size() const { return size_; }
  // Terms have different products, and stand in no order.
  NumberedTerm operator[](std::size_t k) const { return {monomials_[k], factors_[k]}; }

  // Return false if the polynomial becomes too large to be known.
  bool set(const Poly& p, Monomials& monomials);
  bool set(const Question& other, const Addition& addition);

  // Equal for equal polynomials; others differ, but for an accident in 2^64.
  std::uint64_t hash() const;

 private:
  void add(MonomialId monomial, Int factor);

  static constexpr std::size_t kRoom = 2 * Poly::kMostTerms;
  std::array<MonomialId, kRoom> monomials_;
  std::array<Int, kRoom> factors_;
  std::size_t size_ = 0;
};

}  // namespace vyre::bounds
