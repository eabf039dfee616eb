// The programs of tt_contract_step.
//
// An invocation computes one element of the result: the sum over the rows of one column. With few
// columns and many rows that would leave the device idle; then the rows are cut into slices, each
// invocation adds up one slice of one column, and a second launch adds the slices.

#pragma once

#include <cstdint>

#include "vyre/builder.h"

namespace vyre::primitives {

// Declares the buffers of tt_contract_step, and its steps.
void build_tt_contract(ir::SequenceBuilder& s, std::uint32_t r_prev, std::uint32_t r_next);

}  // namespace vyre::primitives
