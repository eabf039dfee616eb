// A case for every row of ops.def and every type that it takes, made from the table itself.

#pragma once

#include "suite.h"

namespace vyre::conformance {

std::vector<Case> op_cases();

}  // namespace vyre::conformance
