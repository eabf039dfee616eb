// natural: the default search.
//
// A mixture of Gaussian processes over everything told so far says what each candidate promises.
// The next probe is the candidate with the largest expected improvement, times its chance to run at
// all, by its expected cost; now and then it is the one that the processes know least about.
// docs/search.md says what was tried, and what each part brings.

#pragma once

#include <memory>

#include "vyre/substrate/search.h"

namespace vyre {

std::unique_ptr<Strategy> make_natural(const space::Space& space, const StrategyOptions& options);

}  // namespace vyre
