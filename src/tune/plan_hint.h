// A hint from the roofline: how long each plan of a widened sequence should take.

#pragma once

#include "fuse/rates.h"
#include "vyre/tune.h"

namespace vyre {

// The predicted times of the plans, all other parameters as in the default configuration. At most
// kMostPlans of them, those with few fused links first; plans that cannot be launched are left out.
inline constexpr std::size_t kMostPlans = 256;
Hint plan_hint(const Problem& problem, const DeviceLimits& limits, const fuse::Rates& rates);

// By interval of a widened problem: how many times faster the whole call should be if only that
// interval is fused. 0: it cannot be launched.
std::vector<double> predicted_gains(const Problem& problem, const DeviceLimits& limits,
                                    const fuse::Rates& rates);

}  // namespace vyre
