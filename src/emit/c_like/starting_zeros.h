// Whether a program can see the zeros that a local array starts with.

#pragma once

#include <cstdint>

#include "bounds/proofs.h"
#include "vyre/program.h"

namespace vyre::emit {

// False in two cases. First, the program never reads the array. Second, every invocation of the
// workgroup first stores to the element of its own number, these are all elements, and a barrier
// comes before any other access. `length` is that of the array, `invocations` the size of the
// workgroup.
bool sees_starting_zeros(const ir::Program& program, const bounds::Proofs& proofs,
                         std::uint32_t buffer, std::uint64_t length, std::uint64_t invocations);

}  // namespace vyre::emit
