// Numbers for declarations that depend neither on their names nor on the order of declaration.
//
// Such a number must follow from something that stays when two declarations trade places. The order
// of first use does not stay, because it depends on the order of `let`s, which the encoding sorts.
// The order of the first *write* by a statement other than `let` stays, because those statements
// are never reordered.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

// One entry per symbol. A shape or scalar has its place among the shapes and scalars, since their
// values are given in that order. A tunable has its place among the tunables by name, since
// configurations name them.
std::vector<std::uint32_t> number_symbols(std::span<const Symbol> symbols);

// The indices of the tunables, by name.
std::vector<std::uint32_t> tunables_by_name(std::span<const Symbol> symbols);

// The variable or buffer that a statement of this kind writes; kNone if it writes none. Fields that
// the kind does not have are ignored.
std::uint32_t written_variable(const Stmt& stmt);
std::uint32_t written_buffer(const Stmt& stmt);

// Numbers the variables and buffers that a statement other than `let` writes, in the order of the
// first such write; kNone for the others. A variable without a number always has the value of its
// `let`. A local or private array without a number is always zero.
struct FirstWrites {
  std::vector<std::uint32_t> variables;
  std::vector<std::uint32_t> buffers;
};
FirstWrites first_writes(const Program& program);

// The same for the buffers of a sequence, by first binding to a step.
std::vector<std::uint32_t> first_bindings(const SequenceDef& sequence);

}  // namespace vyre::ir
