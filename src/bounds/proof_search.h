// ProofSearch: looks for a proof that a polynomial is not negative.
//
// It subtracts non-negative multiples of facts from the polynomial until interval arithmetic shows
// that the rest is not negative. Each step cancels one negative term of highest degree, by every
// fact that can. The search goes deeper in three attempts and is bounded in work. It remembers
// which rests it has given up, since the same rest comes up in many ways.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bounds/fact_store.h"
#include "bounds/question.h"

namespace vyre::bounds {

class ProofSearch {
 public:
  // Which facts are tried first to prove something of a product: those of the atom that was made
  // first, or last. The latter finds more where the sizes of a launch are unknown, and less where
  // they are known.
  enum class Order : std::uint8_t { oldest_atom_first, newest_atom_first };

  // Facts that are tried for one question.
  static constexpr std::uint32_t kMostWork = 450;

  // Keeps a reference to the store.
  ProofSearch(FactStore& store, Order order) : store_(store), order_(order), failures_(kFailures) {}

  // Whether there is a proof. False also means that the search gave up. The question is known. The
  // facts that were tried are taken from `work_left`.
  bool prove(const Poly& question, std::uint32_t& work_left);

 private:
  // Most steps of a proof, in the order of the attempts. Seven are enough for an index of four
  // factors.
  static constexpr std::array<std::uint32_t, 3> kDepths{2, 4, 7};
  static constexpr std::uint32_t kWorkPerAttempt = kMostWork / 3;
  static constexpr std::size_t kFailures = 256;
  static constexpr std::uint32_t kAnyDepth = 255;

  enum class Outcome : std::uint8_t {
    proved,
    open,     // more steps or more work might find a proof
    hopeless  // no number of steps does
  };
  // A rest without a proof of so many steps.
  struct Failure {
    std::uint64_t hash = 0;
    std::uint32_t search = 0;  // the number of the search that it belongs to
    std::uint32_t depth = 0;
  };

  // The least value of factor * product.
  Int least(MonomialId product, Int factor);
  Int lowest(const Question& q);
  std::size_t heaviest(const Question& q) const;
  Outcome search(const Question& q, std::uint32_t depth);
  Outcome try_all(const Question& q, std::size_t target, std::uint32_t depth);
  Outcome use(const Question& q, const NumberedTerm& target, const Fact& fact, std::uint32_t depth);
  Outcome use_range(const Question& q, std::size_t target, std::uint32_t depth);
  bool cancels(const NumberedTerm& target, const Fact& fact, std::size_t term, Addition& out);
  Outcome follow(const Question& q, const Addition& addition, std::uint32_t depth);
  Outcome follow_to_the_end(const Question& q, const Addition& addition);

  FactStore& store_;
  Order order_;
  std::vector<Failure> failures_;  // by the lowest bits of the hash
  std::uint32_t searches_ = 0;
  std::uint32_t work_left_ = 0;  // of the attempt
  std::uint64_t steps_ = 0;      // what the search has taken from the budget: facts and terms
};

}  // namespace vyre::bounds
