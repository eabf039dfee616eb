// Candidates in the application's own process.

#pragma once

#include <memory>

#include "vyre/tune.h"

namespace vyre {

// On this device. Source programs have canaries behind the memory that they write; a candidate that
// damages one is `correctness`. A candidate that crashes takes the process with it.
std::unique_ptr<Evaluator> evaluate_in_process(std::shared_ptr<Device> device,
                                               const Problem& problem);

}  // namespace vyre
