// Constant folding: the value of an expression once the symbols' values are known.
//
// This is how lengths, workgroup size and grid are evaluated at dispatch, and how `validate` finds
// what is already certain. Values are bits as in Expr::bits: zero-extended, f32 as IEEE, a boolean
// 0 or 1. Table operations mean what ops.def says, so folding and running never disagree.
//
// Allocates nothing. Needs the structure rules (V001 to V003) and the depth limit; wrong types
// give none or some value, never a crash.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

// One entry per symbol of the program or sequence: its value if it is known. Tunables are usually
// known.
using SymbolBits = std::span<const std::optional<std::uint64_t>>;

// None if the value depends on something unknown: a symbol without value, a variable, a load, an
// id, a vector. `length(buffer)` is the value of that buffer's length expression.
std::optional<std::uint64_t> fold(const Program& program, ExprId expr, SymbolBits symbols);

// Whether the expression has a value, and no sum, difference or product of integers on the way to
// it wraps. The arm that a select does not take is not looked at.
bool folds_exactly(const Program& program, ExprId expr, SymbolBits symbols);

// For the size expressions of a sequence.
std::optional<std::uint64_t> fold(const SequenceDef& sequence, ExprId expr, SymbolBits symbols);

// Tunables at their defaults; shapes and scalars unknown.
std::vector<std::optional<std::uint64_t>> default_bits(std::span<const Symbol> symbols);

}  // namespace vyre::ir
