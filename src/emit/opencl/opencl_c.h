// Programs as OpenCL C 1.2.
//
// Parameters and guarantees: see emit/c_like/translation_unit.h. A buffer is `__global T*
// restrict`, const if it is only read; the workgroup is the kernel's reqd_work_group_size.

#pragma once

#include <span>
#include <string>

#include "emit/c_like/translation_unit.h"

namespace vyre::emit {

// bad_inputs: see translation_unit.
Expected<std::string> opencl_c(std::span<const KernelSource> kernels);

}  // namespace vyre::emit
