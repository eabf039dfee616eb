// Numbers for declarations that do not depend on their names or on the order they are declared in.
//
// Canonical numbers must follow from something that stays when declarations trade places. Order of
// first use does not: it depends on the order of `let`s, which the encoding sorts. Order of first
// *write* by a statement other than `let` does, because those statements are never reordered.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

// One entry per symbol. Shapes and scalars: the place among them, since their values are given in
// that order. Tunables: the place among them by name, since configurations name them.
std::vector<std::uint32_t> number_symbols(std::span<const Symbol> symbols);

// The indices of the tunables, by name.
std::vector<std::uint32_t> tunables_by_name(std::span<const Symbol> symbols);

// What the statement writes, as its kind has it and whatever else its fields hold; kNone: nothing.
std::uint32_t written_variable(const Stmt& stmt);
std::uint32_t written_buffer(const Stmt& stmt);

// Counts those that are written by a statement other than `let`, in the order of the first such
// write; kNone for the others. A variable without a number always has the value of its `let`, and a
// local or private array without one is always zero.
struct FirstWrites {
  std::vector<std::uint32_t> variables;
  std::vector<std::uint32_t> buffers;
};
FirstWrites first_writes(const Program& program);

// The same for the buffers of a sequence, by first binding to a step.
std::vector<std::uint32_t> first_bindings(const SequenceDef& sequence);

}  // namespace vyre::ir
