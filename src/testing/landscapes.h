// Synthetic recordings: spaces with a known optimum, for testing searches and statistics.

#pragma once

#include <cstdint>

#include "vyre/recording.h"

namespace vyre::testing {

// Four parameters with 5 x 4 x 3 x 2 values; a smooth bowl in the first two, a bonus for one value
// of the third, and every tenth configuration fails. Times lie between 1 and about 30 ms.
recording::Recording small_landscape();

// The same with five noisy runs of every configuration, and compile times.
recording::Recording noisy_landscape();

}  // namespace vyre::testing
