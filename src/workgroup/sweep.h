// The part that both sweeps begin with: measuring every candidate, by one failure rule.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/substrate/best_of.h"

namespace vyre {

struct MeasuredCandidates {
  std::vector<std::size_t> index;  // into the candidates, ascending
  std::vector<std::uint64_t> elapsed_ns;
  std::vector<FailedCandidate> failed;
};

// Fails with the first error by `stop`, or if every candidate fails.
Expected<MeasuredCandidates> measure_all(BackendTimer& timer, const ir::Sequence& program,
                                         std::span<const Extent> candidates, OnFailure on_failure);

}  // namespace vyre
