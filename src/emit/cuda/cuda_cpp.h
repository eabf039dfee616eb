// Programs as CUDA C++, which is HIP C++ too: the text needs no header of either.
//
// Parameters and guarantees: see emit/c_like/translation_unit.h. A kernel is `extern "C"`, a buffer
// is `T* __restrict__`, const if it is only read, and the workgroup is the kernel's
// __launch_bounds__. Two promises are the caller's: blocks have the size that the kernel was
// written for, and the compiler is told not to contract (`--fmad=false`, `-ffp-contract=off`).

#pragma once

#include <span>
#include <string>

#include "emit/c_like/translation_unit.h"

namespace vyre::emit {

// bad_inputs: see translation_unit.
Expected<std::string> cuda_cpp(std::span<const KernelSource> kernels);

}  // namespace vyre::emit
