// Declarations of variables: `.global .align 4 .b8 table[8] = {1, 2, ...}`.

#pragma once

#include "fake_cuda/driver/ptx_cursor.h"
#include "fake_cuda/driver/ptx_module.h"

namespace fake_cuda {

// Parses what follows the word of the space, up to the semicolon or comma, which stays.
Result<Variable> parse_variable(Cursor& cursor, Space space);

// Gives the variable its offset at the end of `total` bytes, and lets `total` grow.
Result<void> place(Variable& variable, std::uint64_t& total);

}  // namespace fake_cuda
