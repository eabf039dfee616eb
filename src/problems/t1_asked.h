// What a T1 file asks of a campaign: its Budget and its Search.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vyre/problem.h"
#include "vyre/recording.h"

namespace vyre {

// Of several budgets of a kind the smallest counts. ConfigurationFraction is a share of `size`, the
// number of configurations, rounded up. Attributes of a search are other tuners' and not used: a
// warning names them.
Expected<Asked> asked_of(const recording::T1File& t1, std::uint64_t size,
                         std::vector<std::string>& warnings);

}  // namespace vyre
