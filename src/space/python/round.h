// Python's round(): half to even, decided on the exact decimal value of a float.

#pragma once

#include "space/python/evaluation.h"

namespace vyre::space::detail {

// round(value, digits); `digits` is null for round(value), which gives an int.
bool round_number(Evaluation& evaluation, const Cell& value, const Cell* digits, Cell& out);

}  // namespace vyre::space::detail
