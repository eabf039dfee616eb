// One kernel function: its arguments, what it declares at its top, its body.

#pragma once

#include <string>

#include "emit/opencl/opencl_c.h"
#include "emit/opencl/prelude.h"

namespace vyre::emit::opencl {

std::string kernel_text(const KernelSource& source, Prelude& prelude);

}  // namespace vyre::emit::opencl
