// Whether two runs of a program gave the same: exactly for integers, within bounds for floats.

#pragma once

#include <optional>
#include <string>

#include "vyre/problem.h"

namespace vyre {

// None if `got`, the problem's outputs, is right. Else the first difference: "y[17] is 3.5, not 4".
std::optional<std::string> first_difference(const Problem& problem, const Outputs& got,
                                            const Outputs& wanted);

}  // namespace vyre
