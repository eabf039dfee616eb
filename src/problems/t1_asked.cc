#include "problems/t1_asked.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace vyre {
namespace {

using recording::BudgetKind;

template <class T>
void lower(std::optional<T>& bound, T value) {
  bound = std::min(bound.value_or(value), value);
}

Expected<void> add(const recording::BudgetSpecification& budget, std::uint64_t size, Asked& out) {
  if (!(budget.value > 0)) return bad_inputs("Budget: a BudgetValue of 0 tunes nothing; raise it");
  if (budget.kind == BudgetKind::seconds) {
    lower(out.seconds, budget.value);
    return {};
  }
  const bool is_share = budget.kind == BudgetKind::fraction;
  if (is_share && budget.value > 1) {
    return bad_inputs("Budget: a ConfigurationFraction is at most 1, not {}", budget.value);
  }
  const double all = static_cast<double>(size);
  const double wanted = std::ceil(is_share ? budget.value * all : budget.value);
  // No campaign tries more than there are, and beyond them a cast may have no meaning.
  lower(out.evaluations, wanted < all ? static_cast<std::uint64_t>(wanted) : size);
  return {};
}

}  // namespace

Expected<Asked> asked_of(const recording::T1File& t1, std::uint64_t size,
                         std::vector<std::string>& warnings) {
  Asked out{.strategy = t1.search.name};
  for (const recording::BudgetSpecification& budget : t1.budget) {
    VYRE_TRY_VOID(add(budget, size, out));
  }
  if (!t1.search.attributes.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, value] : t1.search.attributes) names.push_back(quote(name));
    warnings.push_back(fmt::format("Search.Attributes are not used: {}", fmt::join(names, ", ")));
  }
  return out;
}

}  // namespace vyre
