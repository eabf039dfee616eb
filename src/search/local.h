// local: iterated local search.
//
// It descends over Hamming neighbours and takes the first that is faster. Stuck in a local optimum,
// it takes a few random steps away and descends again; after several such kicks in vain it starts
// from a new random configuration.

#pragma once

#include <memory>

#include "vyre/substrate/search.h"

namespace vyre {

std::unique_ptr<Strategy> make_local(const space::Space& space, const StrategyOptions& options);

}  // namespace vyre
