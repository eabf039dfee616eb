// A problem from a sequence of the kernel language: its sizes, data, scalars and space.

#pragma once

#include "vyre/problem.h"

namespace vyre {

// As chain_problem of vyre/problem.h.
Expected<Problem> problem_of_chain(const ir::Sequence& sequence, const ChainOptions& options);

}  // namespace vyre
