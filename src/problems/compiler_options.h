// The compiler options of a T1 file, as far as the compiler that vyre calls knows them.

#pragma once

#include <string>
#include <vector>

#include "vyre/program.h"
#include "vyre/recording.h"

namespace vyre {

// Files are written for many compilers: an option of another one is left out with a warning, and so
// are options that choose the device's architecture, which the device itself decides.
std::string compiler_options(const recording::KernelSpecification& kernel, ir::Language language,
                             std::vector<std::string>& warnings);

}  // namespace vyre
