// Builds the trie of one group of parameters.

#pragma once

#include <cstddef>
#include <vector>

#include "space/reduced_definition.h"
#include "space/trie.h"

namespace vyre::space::detail {

// The steps and nodes that construction may still use. The groups of one space share them.
struct ConstructionBudget {
  std::uint64_t steps = 0;
  std::uint64_t nodes = 0;
};

// `order`: the group's parameters in the order in which they are bound. A trie of size 0 is no
// error here. Adds to the steps and removals of `reduced`.
Expected<Trie> build_trie(ReducedDefinition& reduced, const std::vector<std::size_t>& order,
                          ConstructionBudget& budget, Place* place);

}  // namespace vyre::space::detail
