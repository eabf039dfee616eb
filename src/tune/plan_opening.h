// The plans of a long chain: too many for a search, so intervals are measured one by one first.

#pragma once

#include "search/opening.h"
#include "vyre/problem.h"

namespace vyre {

// Every interval alone, then the best whole plans by the sum of what their intervals have saved. No
// opening for a problem that is no widened sequence, or one whose plans a search can try.
Opening plan_opening(const Problem& problem);

}  // namespace vyre
