// Matrix products by OpenBLAS, if it is installed. It is loaded when it is first needed, so that
// nothing of vyre depends on it.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/host_loops.h"

namespace vyre::cli {

// For gemm and matvec. Empty: another kernel, or no libopenblas.so.0.
std::vector<HostLoop> blas_loops(std::string_view kernel,
                                 const std::map<std::string, double>& sizes);

}  // namespace vyre::cli
