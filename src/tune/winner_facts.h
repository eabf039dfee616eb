// What a compiler made of a configuration: evidence beside its time.

#pragma once

#include <vector>

#include "vyre/problem.h"

namespace vyre {

// One per step of the problem's sequence. Compiles the steps in this process, or takes them from
// the binary store. Empty where the device does not tell, or a step does not compile here.
std::vector<KernelFacts> facts_of(Device& device, const Problem& problem, const Config& config);

}  // namespace vyre
