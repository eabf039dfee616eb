// Unrolling: the hints that compilers are given, and how large a kernel becomes by them.
//
// Compilers follow the hints. Two nested loops that are unrolled a thousand times each are a
// million copies of the inner body: PoCL compiles them for minutes, in gigabytes of memory. So a
// kernel that would become too large is refused before a compiler sees it.

#pragma once

#include <cstdint>
#include <optional>

#include "ir/rewrite/fold.h"
#include "vyre/program.h"

namespace vyre::emit {

// Expressions and statements of a kernel that unrolling has made larger.
inline constexpr std::uint64_t kMostUnrolledNodes = 32'768;

// How often the loop's body is to be repeated; none: no hint, or one that is left out because it is
// too large.
std::optional<std::uint64_t> unroll_hint(const ir::Program& program, const ir::Stmt& loop,
                                         ir::SymbolBits symbols);

// The number of turns, if the loop is known to count up.
std::optional<std::uint64_t> known_turns(const ir::Program& program, const ir::Stmt& loop,
                                         ir::SymbolBits symbols);

// The expressions and statements of the body after all loops were unrolled as their hints say. The
// count stands still at twice Limits::kNodes.
std::uint64_t unrolled_nodes(const ir::Program& program, ir::SymbolBits symbols);

}  // namespace vyre::emit
