// matvec: a matrix times a vector.

#pragma once

#include "vyre/problem.h"

namespace vyre {

Expected<Problem> make_matvec(const ProblemSizes& sizes);

}  // namespace vyre
