// Candidates in the application's own process.

#pragma once

#include <memory>

#include "tune/device_evaluator.h"
#include "vyre/problem.h"

namespace vyre {

// On this device. `config_of`: empty for the problem's space. Memory of source programs has gaps
// before and behind each buffer; a candidate that writes there is `correctness`. A candidate that
// crashes takes the process with it.
std::unique_ptr<DeviceEvaluator> evaluate_in_process(std::shared_ptr<Device> device,
                                                     const Problem& problem,
                                                     ConfigOf config_of = {});

}  // namespace vyre
