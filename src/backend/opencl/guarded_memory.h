// Memory between pages that nobody may touch.
//
// A kernel that runs on the host's processor and writes far outside its buffers would change memory
// of the process that is not its own, and nothing would show it. Between guards it ends the process
// instead.

#pragma once

#include "backend/opencl/context.h"

namespace vyre::backend::opencl {

// DeviceOptions ask for them, and the device computes in the host's memory on its processor.
bool wants_guards(const Context& context);

// Zeros, on whole pages. The memory is given back when OpenCL no longer uses it.
Expected<Owned<cl_mem>> allocate_guarded(const Context& context, std::size_t bytes);

}  // namespace vyre::backend::opencl
