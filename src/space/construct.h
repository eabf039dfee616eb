// From a definition to the tries of its space.

#pragma once

#include <vector>

#include "space/reduced_definition.h"
#include "space/trie.h"

namespace vyre::space::detail {

struct Construction {
  std::vector<Trie> tries;  // none if the space is empty
  std::uint64_t size = 0;   // at most Trie::kTooMany, which stands for every larger number
  std::uint64_t steps = 0;
  std::vector<std::uint64_t> removals;  // per constraint
};

// Uses only the first `most_constraints` constraints.
Expected<Construction> construct(const Definition& definition, std::size_t most_constraints,
                                 const Options& options, Place* place);

// The error for a definition whose space is empty.
Error no_configuration(const Definition& definition, const Options& options, Place* place);

}  // namespace vyre::space::detail
