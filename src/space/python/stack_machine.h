// The stack machine that runs code.

#pragma once

#include <cstddef>
#include <span>

#include "space/python/expression_code.h"

namespace vyre::space::detail {

// The code's value for these values of its names. False on failure: evaluation.problem says what is
// wrong, and `where` is the instruction that failed. On entry `where` is the instruction to start
// at. A result may point into the evaluation's pool.
bool run(const ExpressionCode& code, std::span<const Cell> values, Evaluation& evaluation,
         Cell& out, std::size_t& where);

}  // namespace vyre::space::detail
