#include "space/construct.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "space/ordering.h"
#include "space/trie_builder.h"

namespace vyre::space::detail {
namespace {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return Trie::kTooMany;
  return std::min(product, Trie::kTooMany);
}

}  // namespace

Expected<Construction> construct(const Definition& definition, std::size_t most_constraints,
                                 const Options& options, Place* place) {
  VYRE_TRY(ReducedDefinition reduced, reduce(definition, most_constraints, options, place));
  constexpr std::uint64_t kMostNodes = std::numeric_limits<std::uint32_t>::max() - 1;
  ConstructionBudget budget{options.most_steps, std::min(options.most_nodes, kMostNodes)};
  Construction out;
  out.size = reduced.empty ? 0 : 1;
  if (!reduced.empty) {
    for (const auto& order : order_groups(reduced)) {
      VYRE_TRY(Trie trie, build_trie(reduced, order, budget, place));
      out.size = trie.size() == 0 ? 0 : saturating_product(out.size, trie.size());
      out.tries.push_back(std::move(trie));
      if (out.size == 0) break;
    }
  }
  if (out.size == 0) out.tries.clear();
  out.steps = reduced.steps;
  out.removals = std::move(reduced.removals);
  return out;
}

// Finds the constraint to name: the last of the shortest run of constraints, from the first on,
// that allows no configuration. More constraints never allow more, so the run is found by halving.
Error no_configuration(const Definition& definition, const Options& options, Place* place) {
  const auto allowed = [&](std::size_t constraints) -> std::uint64_t {
    const auto made = construct(definition, constraints, options, nullptr);
    return made ? made->size : 1;  // not empty: a constraint that cannot be evaluated was reached
  };
  std::size_t enough = 0;
  std::size_t too_many = definition.constraints.size();
  while (too_many - enough > 1) {
    const std::size_t middle = enough + (too_many - enough) / 2;
    (allowed(middle) == 0 ? too_many : enough) = middle;
  }
  const std::string& culprit = definition.constraints[enough];
  if (place != nullptr) *place = Place{culprit, 0, culprit.size()};
  const std::uint64_t left = allowed(enough);
  const std::string count = left >= Trie::kTooMany ? "more than 2^63" : fmt::format("{}", left);
  return Error{ErrorKind::bad_inputs, "empty",
               fmt::format("no configuration is valid: constraint {}, {}, removes the last {} that "
                           "{} left",
                           enough + 1, quote(culprit), count,
                           enough == 0 ? "the values" : "the constraints before it")};
}

}  // namespace vyre::space::detail
