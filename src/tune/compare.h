// Whether two runs of a program gave the same: exactly for integers, within bounds for floats.

#pragma once

#include <optional>
#include <string>

#include "vyre/problem.h"

namespace vyre {

// Whether any output is compared at all.
bool compares_outputs(const Problem& problem);

// None if `got`, the problem's outputs, is right. Else the first difference: "y[17] is 3.5, not 4".
// Elements that the language has no type for are shown as bytes: "y[17] is 0x00ff, not 0x0100".
std::optional<std::string> first_difference(const Problem& problem, const Outputs& got,
                                            const Outputs& wanted);

}  // namespace vyre
