// Python's arithmetic on 64-bit integers and doubles. Results that Python would give as integers of
// more than 64 bits are failures.

#pragma once

#include <cstdint>

#include "space/python/operators.h"

namespace vyre::space::detail {

// Both operands are integral.
bool integer_operation(Evaluation& evaluation, Operator op, std::int64_t left, std::int64_t right,
                       Cell& out);

// Both operands are numbers, and at least one of them is a float.
bool real_operation(Evaluation& evaluation, Operator op, double left, double right, Cell& out);

}  // namespace vyre::space::detail
