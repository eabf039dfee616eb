// Proofs: the guards that a program does not need.
//
// The language gives every operation a value: loads outside a buffer are 0, x / 0 is all ones,
// integers wrap. Target languages do not, so emitters write guards. This analysis finds the places
// where a guard can never matter. Where it finds no proof the guard stays, which only costs time.
//
// Every expression is used once, so a proof belongs to its node: it may use all facts that hold
// there, such as the conditions around it.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/program.h"

namespace vyre::bounds {

struct Proofs {
  std::vector<bool> inside;       // by expression, loads: it is inside its buffer
  std::vector<bool> inside_stmt;  // by statement, stores and atomics: it is inside its buffer
  // By statement, stores of one value: the index is the number of the invocation in its workgroup.
  std::vector<bool> own_element;
  // By expression, integer operations: C's operator gives the value. No sum, difference, product
  // or negation wraps; a divisor is not 0 and not -1; a shift count is below the width.
  std::vector<bool> plain;
  // By statement, `for`: the step is positive, and adding it to a value below the end never wraps.
  std::vector<bool> counts_up;
};

// The program must be valid. `symbols`: the value of each symbol if it is known. Tunables are
// always known.
Proofs prove(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
             const std::array<std::uint32_t, 3>& workgroup);

}  // namespace vyre::bounds
