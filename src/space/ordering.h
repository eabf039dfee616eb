// The order in which a trie binds its parameters.

#pragma once

#include <cstddef>
#include <vector>

#include "space/reduced_definition.h"

namespace vyre::space::detail {

// The parameters in groups that share no open constraint. Within a group, the order is the one that
// shares most nodes: few earlier parameters should still matter for the constraints that are left.
// Every parameter is in exactly one group.
std::vector<std::vector<std::size_t>> order_groups(const ReducedDefinition& reduced);

}  // namespace vyre::space::detail
