// Whether a program's nodes form a tree. Every walk over a program needs this first.
//
// In a tree every id exists, children come before their parents, no node has two parents, and every
// operand that a node needs is there. None of these functions recurses.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "vyre/program.h"

namespace vyre::ir {

// Whether the op is a member of the enumeration: a program built by hand may hold any byte.
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

// The first reason why the nodes are not a tree, in words; none if they are one.
std::optional<std::string> tree_problem(const Program& program);
std::optional<std::string> tree_problem(
    const SequenceDef& sequence);  // its own nodes, not those of its programs

// Levels of the deepest expression and of the deepest statement. A leaf is one level, and so is a
// statement of `Program::body`. Trees only.
std::uint32_t expr_depth(std::span<const Expr> exprs);
std::uint32_t stmt_depth(std::span<const Stmt> stmts);

}  // namespace vyre::ir
