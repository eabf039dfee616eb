// One function per strategy; strategies.cc lists them. See vyre/search.h for what each promises.

#pragma once

#include <memory>

#include "vyre/substrate/search.h"

namespace vyre {

std::unique_ptr<Strategy> make_natural(const space::Space& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_evolution(const space::Space& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_local(const space::Space& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_random(const space::Space& space, const StrategyOptions& options);
std::unique_ptr<Strategy> make_exhaustive(const space::Space& space,
                                          const StrategyOptions& options);

}  // namespace vyre
