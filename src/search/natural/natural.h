// natural: the default search.
//
// The policy is a distribution over candidates: a softmax that weighs each candidate by how much it
// is expected to improve on the best, under a model of everything told so far. The next probe is
// the largest component of the policy after the metric. docs/search.md says what was tried, and
// what each part brings.

#pragma once

#include <memory>

#include "vyre/substrate/search.h"

namespace vyre {

std::unique_ptr<Strategy> make_natural(const space::Space& space, const StrategyOptions& options);

}  // namespace vyre
