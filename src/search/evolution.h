// evolution: a steady-state genetic algorithm.
//
// Two parents, each the better of two drawn from the best configurations so far, are crossed
// parameter by parameter. Some parameters mutate to a neighbouring value. A child that is not valid
// is moved to a valid neighbour of its first parent.

#pragma once

#include <memory>

#include "vyre/substrate/search.h"

namespace vyre {

std::unique_ptr<Strategy> make_evolution(const space::Space& space, const StrategyOptions& options);

}  // namespace vyre
