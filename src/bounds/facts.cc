#include "bounds/facts.h"

#include <algorithm>

#include "bounds/proof_budget.h"

namespace vyre::bounds {
namespace {

// Of a budget. A fact that is pushed narrows ranges.
constexpr std::uint64_t kPushWork = 20;

}  // namespace

// Two lists begin alike as far as the places that they belong to lie in the same blocks. Only what
// differs is released and assumed.
void Facts::restore(const Mark& mark, const std::vector<FactId>& facts) {
  const std::vector<FactId> held = since(mark);
  const auto same = std::ranges::mismatch(held, facts);
  store_.release(store_.mark_at(mark.facts + static_cast<std::size_t>(same.in1 - held.begin())));
  for (auto fact = same.in2; fact != facts.end(); ++fact) store_.push(*fact);
  ProofBudget::take(kPushWork * static_cast<std::uint64_t>(facts.end() - same.in2));
}

// An answer that was cut short because no work was left is not kept.
bool Facts::holds(const Poly& not_negative) {
  if (!not_negative.is_known()) return false;
  if (range(not_negative).low >= 0) return true;
  const PolyId question = questions_.id_of(not_negative);
  if (const std::uint32_t* known = answers_.find(store_.state(), question)) return *known != 0;
  if (!ProofBudget::has_work()) return false;
  const bool has_work = work_left_ >= ProofSearch::kMostWork;
  const bool out = search_.prove(not_negative, work_left_);
  if (out || has_work) answers_.insert(store_.state(), question, out ? 1 : 0);
  return out;
}

std::vector<Poly> Facts::upper_bounds(Atom atom) const {
  std::vector<Poly> out;
  for (const FactId id : store_.recent(atom)) {
    const Poly bound = store_.fact(id).poly + Poly::of(atom);
    const bool gone = std::ranges::none_of(bound.terms(), [&](const Term& t) {
      return t.monomial.divided_by(Monomial{{atom}, 1}).has_value();
    });
    if (gone) out.push_back(bound);
  }
  return out;
}

}  // namespace vyre::bounds
