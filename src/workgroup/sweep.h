// What both sweeps do first: measure every candidate, by one failure rule.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/substrate/workgroup.h"

namespace vyre {

struct Measured {
  std::vector<std::size_t> index;  // of the candidate, ascending
  std::vector<std::uint64_t> elapsed_ns;
  std::vector<FailedCandidate> failed;
};

Expected<Measured> measure_all(BackendTimer& timer, const ir::Sequence& program,
                               std::span<const Extent> candidates, OnFailure on_failure);

}  // namespace vyre
