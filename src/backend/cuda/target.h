// Target: which compiler makes which kind of image for a device.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/cuda/compiler.h"

namespace vyre::backend::cuda {

using Compilers = std::vector<std::shared_ptr<const Compiler>>;

struct Target {
  std::shared_ptr<const Compiler> compiler{};
  Form form = Form::binary;
  std::string architecture{};  // of the binary: "sm_80", "gfx90a"; of PTX: "compute_80"
  // For a driver that does not load binaries; empty: there is none.
  std::string ptx_architecture{};
};

// For a device of CUDA. `capability`: 80 for 8.0. `driver_version`: 12040 for CUDA 12.4.
//
// The first compiler that knows the architecture makes binaries. PTX is the fallback for a device
// that is newer than all compilers: the driver compiles it. A compiler whose CUDA is of a later
// major version than the driver's makes code that the driver does not load, so it is not used, and
// neither is its PTX if it is of a later minor version.
Expected<Target> choose_target(const Compilers& compilers, int capability, int driver_version);

}  // namespace vyre::backend::cuda
