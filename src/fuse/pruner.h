// The pruner: leaves out fused kernels whose intermediate results do not fit on the chip.
//
// The contract's chain analysis (vyre/substrate/chain_fusion.h) decides: the geometric mean of the
// links' ranks against a threshold. Here a rank is the number of elements that an invocation keeps
// of what one step hands to the next: 1 for a map or for a statistic of a row, the taps of a
// stencil, a whole row where it is kept. The threshold is the device's local memory, in elements.

#pragma once

#include <string>
#include <vector>

#include "vyre/call.h"
#include "vyre/fuse.h"

namespace vyre::fuse {

struct Pruned {
  std::size_t interval = 0;  // of Widened::intervals
  std::vector<std::uint64_t> ranks = {};
  double threshold = 0;
  std::string why = {};  // for people
};

// One rank for each link of the interval, for a call with these sizes.
Expected<std::vector<std::uint64_t>> on_chip_ranks(const Widened& widened, std::size_t interval,
                                                   const Call& call, const DeviceLimits& limits);

// Adds a constraint to the space for each interval that is left out, and says which those are.
Expected<std::vector<Pruned>> prune(Widened& widened, const Call& call, const DeviceLimits& limits);

}  // namespace vyre::fuse
