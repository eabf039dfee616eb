// random and exhaustive: the two strategies that learn nothing.

#pragma once

#include <memory>

#include "vyre/substrate/search.h"

namespace vyre {

std::unique_ptr<Strategy> make_random(const space::Space& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_exhaustive(const space::Space& space,
                                          const StrategyOptions& options);

}  // namespace vyre
