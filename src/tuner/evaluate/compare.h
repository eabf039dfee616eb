// Whether two runs of a program gave the same: exactly for integers, within bounds for floats.

#pragma once

#include <optional>
#include <string>

#include "vyre/problem.h"

namespace vyre::tuner {

// None if `got` is right. Else the first difference: "y[17] is 3.5, not 4".
std::optional<std::string> first_difference(const ir::Sequence& sequence,
                                            const backend::Outputs& got,
                                            const backend::Outputs& wanted,
                                            const Tolerance& tolerance);

}  // namespace vyre::tuner
