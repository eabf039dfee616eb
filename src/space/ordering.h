// In which order a trie binds its parameters.

#pragma once

#include <cstddef>
#include <vector>

#include "space/reduced_definition.h"

namespace vyre::space::detail {

// The parameters in groups that share no open constraint, each group in the order in which it is
// best bound: the fewer earlier parameters still matter for what is left to check, the more nodes
// are shared. Every parameter is in exactly one group.
std::vector<std::vector<std::size_t>> order_groups(const ReducedDefinition& reduced);

}  // namespace vyre::space::detail
