// saxpy: y = a x + y.

#pragma once

#include "vyre/problem.h"

namespace vyre {

Expected<Problem> make_saxpy(const ProblemSizes& sizes);

}  // namespace vyre
