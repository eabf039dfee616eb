// Whether a program's nodes form a tree: what every walk over one needs to know first.
//
// A tree here: every id exists, children come before their parents, no node has two parents, and
// every operand that a node needs is there. None of these functions recurses.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vyre/program.h"

namespace vyre::ir {

// Whether the op is a member of the enumeration at all: a program built by hand may hold anything.
bool is_known(Op op);

// Whether statements of this kind have a body.
constexpr bool has_block(StmtKind kind) {
  return kind == StmtKind::if_ || kind == StmtKind::for_ || kind == StmtKind::while_ ||
         kind == StmtKind::region;
}

// The operands that a statement of this kind has, without the optional `unroll`.
std::span<const ExprId> operands(const Stmt& stmt);

// The operands of an expression; empty if its op is not known.
std::span<const ExprId> operands(const Expr& expr);

// The first thing that makes the nodes no tree, in words; none: they are one.
std::optional<std::string> tree_problem(const Program& program);
std::optional<std::string> tree_problem(const SequenceDef& sequence);  // its own, not its programs'

// Levels of the deepest expression, a leaf being one level, and of the deepest statement, one of
// `Program::body` being one level. Trees only.
std::uint32_t expr_depth(std::span<const Expr> exprs);
std::uint32_t stmt_depth(std::span<const Stmt> stmts);

}  // namespace vyre::ir
