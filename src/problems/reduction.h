// reduction: the sum of a vector.

#pragma once

#include "vyre/problem.h"

namespace vyre {

Expected<Problem> make_reduction(const ProblemSizes& sizes);

}  // namespace vyre
