// gemm: a matrix times a matrix, in tiles.

#pragma once

#include "vyre/problem.h"

namespace vyre {

Expected<Problem> make_gemm(const ProblemSizes& sizes);

}  // namespace vyre
