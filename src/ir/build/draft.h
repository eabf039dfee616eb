// Draft: a program as the builder records it, before values become expressions.
//
// Every operation is a node of its own, in the order and in the scope in which it was written.
// `materialise` turns the nodes into the trees and lets of a Program, and keeps every computation
// at its time.

#pragma once

#include <string>
#include <vector>

#include "ir/ops.h"
#include "vyre/error.h"
#include "vyre/program.h"

namespace vyre::ir {

using NodeId = std::uint32_t;   // index into Draft::nodes
using ScopeId = std::uint32_t;  // index into Draft::scopes

// How many effects a scope has seen. Loads may move between two places of one scope if no memory
// effect lies between them; reads of variables, if no assignment does.
struct Epoch {
  std::uint32_t memory = 0;
  std::uint32_t variables = 0;
};

struct DraftNode {
  Expr expr;  // its args are nodes
  ScopeId scope = 0;
  Epoch epoch{};
  bool is_size = false;      // may stand in a size expression
  std::uint32_t height = 1;  // of the whole tree below it, capped
  std::uint64_t weight = 1;  // nodes of that tree, shared ones counted each time, capped
};

inline Stmt make_stmt(StmtKind kind) {
  Stmt stmt;
  stmt.kind = kind;
  return stmt;
}

struct DraftStmt {
  Stmt stmt;  // its args are nodes, its variable is one of Draft::variables, its blocks are empty
  ScopeId scope = 0;
  Epoch epoch{};
  ScopeId body = kNone;
  ScopeId otherwise = kNone;
  ScopeId condition = kNone;  // while_
  NodeId result = kNone;      // atomic: the node that reads its variable
};

enum class ScopeKind : std::uint8_t { plain, loop, condition };

struct DraftItem {
  bool is_stmt = false;
  std::uint32_t id = 0;
};

struct DraftScope {
  ScopeKind kind = ScopeKind::plain;
  ScopeId loop = 0;   // the nearest scope, itself included, that runs repeatedly
  std::string label;  // for messages: if, for "k"
  Epoch epoch{};
  std::vector<DraftItem> items{};
};

struct Draft {
  std::string name;
  std::vector<Symbol> symbols;
  std::vector<Buffer> buffers;  // their lengths are nodes
  std::vector<Variable> variables;
  std::array<NodeId, 3> workgroup{kNone, kNone, kNone};
  std::array<NodeId, 3> grid{kNone, kNone, kNone};
  std::vector<DraftNode> nodes;
  std::vector<DraftStmt> stmts;
  std::vector<DraftScope> scopes;
  std::optional<Source> source{};
};

// Whether the expression costs nothing and means the same everywhere it is visible.
inline bool is_leaf(const Draft& draft, const Expr& expr) {
  switch (expr.op) {
    case Op::constant:
    case Op::symbol:
    case Op::id:
    case Op::length:
      return true;
    case Op::variable:
      return !draft.variables[expr.index].is_mutable;
    default:
      return false;
  }
}

// Appends the tree of a size node to `exprs` and returns its root; kNone gives kNone.
ExprId emit_size(const Draft& draft, NodeId node, std::vector<Expr>& exprs);

// Fails only if a while condition is beyond the limits of an expression.
Expected<Program> materialise(const Draft& draft);

}  // namespace vyre::ir
