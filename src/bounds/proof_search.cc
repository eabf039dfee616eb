#include "bounds/proof_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "bounds/proof_budget.h"

namespace vyre::bounds {
namespace {

constexpr std::size_t kNoTerm = 0xffff;

// Of numbers that are positive.
Int gcd(Int a, Int b) {
  if (a == 1 || b == 1) return 1;
  constexpr Int most = Int{1} << 62U;
  if (a < most && b < most) {
    return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
  }
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

Int quotient(Int a, Int b) { return b == 1 ? a : a / b; }

// What matters of the terms of a question that is the last one.
struct End {
  Int low = 0;
  bool has_low = true;      // no term is without a lower end
  bool has_target = false;  // a term could be cancelled
  bool is_known = true;

  void add(Int factor, bool is_constant, Int least) {
    low = saturating_add(low, least);
    has_low = has_low && least > -kMostInt;
    has_target = has_target || (factor < 0 && !is_constant);
    is_known = is_known && !is_too_large(factor);
  }
};

}  // namespace

// Short proofs are tried first: most proofs are short, and a deep search may use up its work on the
// wrong facts.
bool ProofSearch::prove(const Poly& question, std::uint32_t& work_left) {
  ++searches_;
  steps_ = 0;
  Question start;
  if (!start.set(question, store_.monomials)) return false;
  Outcome outcome = Outcome::open;
  for (std::size_t k = 0; k < kDepths.size() && outcome == Outcome::open; ++k) {
    const std::uint32_t given = std::min(work_left, kWorkPerAttempt);
    work_left_ = given;
    outcome = search(start, kDepths[k]);
    work_left -= given - work_left_;
  }
  ProofBudget::take(steps_ + 1);
  return outcome == Outcome::proved;
}

Int ProofSearch::least(MonomialId product, Int factor) {
  if (product == Monomials::kOne) return factor;
  const Range& range = store_.range(product);
  return saturating_multiply(factor, factor > 0 ? range.low : range.high);
}

// A sum of which one part has no lower end has none.
Int ProofSearch::lowest(const Question& q) {
  Int out = 0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    const Int part = least(q[k].monomial, q[k].factor);
    if (part <= -kMostInt) return -kMostInt;
    out = saturating_add(out, part);
  }
  return out;
}

// The term to cancel first: of the terms with a negative factor, the first one of highest degree.
std::size_t ProofSearch::heaviest(const Question& q) const {
  std::size_t out = kNoTerm;
  for (std::size_t k = 0; k < q.size(); ++k) {
    if (q[k].factor >= 0 || q[k].monomial == Monomials::kOne) continue;
    if (out == kNoTerm) {
      out = k;
      continue;
    }
    const Monomial& m = store_.monomials[q[k].monomial];
    const Monomial& best = store_.monomials[q[out].monomial];
    if (m.degree > best.degree || (m.degree == best.degree && m < best)) out = k;
  }
  return out;
}

ProofSearch::Outcome ProofSearch::search(const Question& q, std::uint32_t depth) {
  if (lowest(q) >= 0) return Outcome::proved;
  const std::size_t target = heaviest(q);
  if (target == kNoTerm) return Outcome::hopeless;
  if (depth == 0) return Outcome::open;
  const std::uint64_t hash = q.hash();
  const auto failure = [&]() -> Failure& { return failures_[hash % kFailures]; };
  if (failure().hash == hash && failure().search == searches_ && failure().depth >= depth) {
    return failure().depth == kAnyDepth ? Outcome::hopeless : Outcome::open;
  }
  const Outcome out = try_all(q, target, depth);
  // Without work left, the rest may not have been tried to its end.
  const bool is_complete = out == Outcome::hopeless || (out == Outcome::open && work_left_ > 0);
  if (is_complete) failure() = {hash, searches_, out == Outcome::hopeless ? kAnyDepth : depth};
  return out;
}

// Tries every fact that can cancel the target. What is left is a new question, with one step less.
ProofSearch::Outcome ProofSearch::try_all(const Question& q, std::size_t target,
                                          std::uint32_t depth) {
  const NumberedTerm term = q[target];
  const Monomial product = store_.monomials[term.monomial];
  Outcome out = Outcome::hopeless;
  for (std::size_t k = 0; k < product.degree; ++k) {
    const std::size_t place = order_ == Order::newest_atom_first ? product.degree - 1 - k : k;
    const auto facts = store_.about(product.atoms[place]);
    // The newest first: they come from the conditions right around the question.
    for (std::size_t i = facts.size(); i > 0; --i) {
      if (work_left_ == 0) return Outcome::open;
      --work_left_;
      ++steps_;
      const Outcome used = use(q, term, store_.fact(facts[i - 1]), depth);
      if (used == Outcome::proved) return used;
      if (used == Outcome::open) out = used;
    }
  }
  const Outcome used = use_range(q, target, depth);
  return used == Outcome::hopeless ? out : used;
}

ProofSearch::Outcome ProofSearch::use(const Question& q, const NumberedTerm& target,
                                      const Fact& fact, std::uint32_t depth) {
  Outcome out = Outcome::hopeless;
  for (std::size_t k = 0; k < fact.terms.size(); ++k) {
    if (fact.terms[k].factor >= 0 || fact.terms[k].monomial == Monomials::kOne) continue;
    Addition addition;
    if (!cancels(target, fact, k, addition)) continue;
    const Outcome used = follow(q, addition, depth);
    if (used == Outcome::proved) return used;
    if (used == Outcome::open) out = used;
  }
  return out;
}

// The multiple of the fact whose term cancels the target, subtracted. If the fact's term is the
// target times further factors, all at least 1, then the target is at most that term and is
// replaced by it.
bool ProofSearch::cancels(const NumberedTerm& target, const Fact& fact, std::size_t term,
                          Addition& out) {
  const NumberedTerm& t = fact.terms[term];
  MonomialId rest = store_.monomials.quotient(target.monomial, t.monomial);
  const bool divides = rest != Monomials::kNone && store_.range(rest).low >= 0;
  if (!divides) {
    const MonomialId more = store_.monomials.quotient(t.monomial, target.monomial);
    const bool is_replaced = more != Monomials::kNone && store_.range(more).low >= 1 &&
                             store_.range(target.monomial).low >= 0;
    if (!is_replaced) return false;
    rest = Monomials::kOne;
  }
  const Int common = gcd(-target.factor, -t.factor);
  const Int factor = quotient(-target.factor, common);
  out.scale = quotient(-t.factor, common);
  for (std::size_t k = 0; k < fact.terms.size(); ++k) {
    const MonomialId product = !divides && k == term
                                   ? target.monomial
                                   : store_.monomials.product(fact.terms[k].monomial, rest);
    const Int part = -saturating_multiply(fact.terms[k].factor, factor);
    if (product == Monomials::kNone || is_too_large(part)) return false;
    out.monomials[k] = product;
    out.factors[k] = part;
  }
  out.size = fact.terms.size();
  return true;
}

// Replaces the target by its largest value, a number.
ProofSearch::Outcome ProofSearch::use_range(const Question& q, std::size_t target,
                                            std::uint32_t depth) {
  const Int most = least(q[target].monomial, q[target].factor);
  if (is_too_large(most)) return Outcome::hopeless;
  Addition addition;
  addition.monomials[0] = q[target].monomial;
  addition.factors[0] = -q[target].factor;
  addition.monomials[1] = Monomials::kOne;
  addition.factors[1] = most;
  addition.size = 2;
  return follow(q, addition, depth);
}

ProofSearch::Outcome ProofSearch::follow(const Question& q, const Addition& addition,
                                         std::uint32_t depth) {
  steps_ += q.size() + addition.size;
  if (depth == 1) return follow_to_the_end(q, addition);
  Question next;
  return next.set(q, addition) ? search(next, depth - 1) : Outcome::hopeless;
}

// The same without a step that is left. Most steps are such, so the new question is not written
// down.
ProofSearch::Outcome ProofSearch::follow_to_the_end(const Question& q, const Addition& addition) {
  End end;
  const auto add = [&](MonomialId monomial, Int factor) {
    if (factor != 0) end.add(factor, monomial == Monomials::kOne, least(monomial, factor));
  };
  std::uint32_t added = 0;  // one bit for each term of the addition
  for (std::size_t k = 0; k < q.size(); ++k) {
    const NumberedTerm term = q[k];
    Int factor = saturating_multiply(term.factor, addition.scale);
    end.is_known = end.is_known && !is_too_large(factor);
    for (std::size_t i = 0; i < addition.size; ++i) {
      if (addition.monomials[i] != term.monomial) continue;
      factor += addition.factors[i];
      added |= 1U << i;
    }
    add(term.monomial, factor);
  }
  for (std::size_t i = 0; i < addition.size; ++i) {
    if ((added >> i & 1U) == 0) add(addition.monomials[i], addition.factors[i]);
  }
  if (!end.is_known) return Outcome::hopeless;
  if (end.has_low && end.low >= 0) return Outcome::proved;
  return end.has_target ? Outcome::open : Outcome::hopeless;
}

}  // namespace vyre::bounds
