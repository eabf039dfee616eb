// softmax: each row of a matrix to weights that add up to 1.

#pragma once

#include "vyre/problem.h"

namespace vyre {

Expected<Problem> make_softmax(const ProblemSizes& sizes);

}  // namespace vyre
