// From the recorded draft to a Program: trees, lets and names.

#include "ir/build/draft.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "ir/build/placement.h"

namespace vyre::ir {
namespace {

ExprId append(std::vector<Expr>& exprs, const Expr& expr) {
  exprs.push_back(expr);
  return static_cast<ExprId>(exprs.size() - 1);
}

// Names of variables: the wished name if it is free, else one that hides nothing visible.
class Names {
 public:
  explicit Names(const Draft& draft) {
    for (const Symbol& symbol : draft.symbols) visible_.insert(symbol.name);
    for (const Buffer& buffer : draft.buffers) visible_.insert(buffer.name);
    taken_ = visible_;
    for (const Variable& variable : draft.variables) taken_.insert(variable.name);
  }

  std::string introduce(const std::string& wish) {
    std::string name = wish;
    while (visible_.contains(name)) name = fmt::format("{}_{}", wish, ++suffixes_[wish] + 1);
    visible_.insert(name);
    in_order_.push_back(name);
    return name;
  }

  std::string fresh() {
    std::string name;
    do name = fmt::format("t{}", next_++);
    while (taken_.contains(name));
    return introduce(name);
  }

  std::size_t mark() const { return in_order_.size(); }
  void forget_after(std::size_t mark) {
    for (; in_order_.size() > mark; in_order_.pop_back()) visible_.erase(in_order_.back());
  }

 private:
  std::set<std::string> visible_;
  std::set<std::string> taken_;
  std::vector<std::string> in_order_;
  std::map<std::string, std::uint32_t> suffixes_;  // tried so far
  std::uint32_t next_ = 0;
};

// Turns the draft into a Program, scope by scope. A node that the plan names becomes a `let` at its
// place; every other node is written into the tree of its user.
//
// Recursion follows statements and inlined expressions. Both are bounded: statements while
// recording, expressions by the plan.
class Writer {
 public:
  explicit Writer(const Draft& draft)
      : draft_(draft),
        plan_(draft),
        names_(draft),
        node_variables_(draft.nodes.size(), kNone),
        variables_(draft.variables.size(), kNone) {}

  Expected<Program> write() {
    if (plan_.condition_is_too_large()) {
      return fail(ErrorKind::rejected, "builder",
                  "program {}: the condition of a while is too large an expression; compute parts "
                  "of it in the body",
                  quote(draft_.name));
    }
    program_.name = draft_.name;
    program_.symbols = draft_.symbols;
    program_.buffers = draft_.buffers;
    for (Buffer& buffer : program_.buffers) buffer.length = size(buffer.length);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      program_.workgroup[axis] = size(draft_.workgroup[axis]);
      program_.grid[axis] = size(draft_.grid[axis]);
    }
    program_.body = block(0);
    program_.source = draft_.source;
    return std::move(program_);
  }

 private:
  ExprId size(NodeId node) { return emit_size(draft_, node, program_.exprs); }

  Block block(ScopeId scope) {
    Block out;
    if (scope == kNone) return out;
    const std::size_t mark = names_.mark();
    std::vector<NodeId> waiting;  // lets that stand together: only their order is free
    for (const DraftItem& item : draft_.scopes[scope].items) {
      if (item.is_stmt) {
        lets(waiting, out);
        out.push_back(stmt(draft_.stmts[item.id]));
      } else if (plan_.placement(item.id) == Placement::named) {
        waiting.push_back(item.id);
      }
    }
    lets(waiting, out);
    names_.forget_after(mark);
    return out;
  }

  StmtId append_stmt(Stmt stmt) {
    program_.stmts.push_back(std::move(stmt));
    return static_cast<StmtId>(program_.stmts.size() - 1);
  }

  std::uint32_t append_variable(Variable variable) {
    program_.variables.push_back(std::move(variable));
    return static_cast<std::uint32_t>(program_.variables.size() - 1);
  }

  void lets(std::vector<NodeId>& nodes, Block& out) {
    std::ranges::sort(nodes, {}, [&](NodeId node) { return plan_.rank(node); });
    for (const NodeId node : nodes) out.push_back(let(node));
    nodes.clear();
  }

  StmtId let(NodeId node) {
    Stmt stmt = make_stmt(StmtKind::let);
    stmt.args[0] = tree(node);
    stmt.variable = append_variable({names_.fresh(), draft_.nodes[node].expr.type, false});
    node_variables_[node] = stmt.variable;
    return append_stmt(std::move(stmt));
  }

  // The variable of the draft in the program; introduces it if the statement does.
  std::uint32_t variable(const DraftStmt& from) {
    const std::uint32_t old = from.stmt.variable;
    if (old == kNone || from.stmt.kind == StmtKind::assign) {
      return old == kNone ? kNone : variables_[old];
    }
    if (from.stmt.kind == StmtKind::atomic && plan_.placement(from.result) == Placement::dropped) {
      return kNone;
    }
    const Variable& wish = draft_.variables[old];
    const std::string name = wish.name.empty() ? names_.fresh() : names_.introduce(wish.name);
    return variables_[old] = append_variable({name, wish.type, wish.is_mutable});
  }

  StmtId stmt(const DraftStmt& from) {
    Stmt stmt = from.stmt;
    for (ExprId& arg : stmt.args) arg = arg == kNone ? kNone : use(arg);
    stmt.unroll = size(stmt.unroll);
    const std::size_t mark = names_.mark();
    stmt.variable = variable(from);
    stmt.body = block(from.body);
    stmt.otherwise = block(from.otherwise);
    if (stmt.kind == StmtKind::for_) names_.forget_after(mark);
    return append_stmt(std::move(stmt));
  }

  // The node where it is used: its tree, or the name that it has been given.
  ExprId use(NodeId node) {
    if (node_variables_[node] == kNone) return tree(node);
    return append(
        program_.exprs,
        {.op = Op::variable, .type = draft_.nodes[node].expr.type, .index = node_variables_[node]});
  }

  ExprId tree(NodeId node) {
    Expr expr = draft_.nodes[node].expr;
    for (std::uint32_t i = 0; i < operand_count(expr); ++i) expr.args[i] = use(expr.args[i]);
    if (expr.op == Op::variable) expr.index = variables_[expr.index];
    return append(program_.exprs, expr);
  }

  const Draft& draft_;
  PlacementPlan plan_;
  Names names_;
  Program program_;
  std::vector<std::uint32_t> node_variables_;  // of the program, by node: its let
  std::vector<std::uint32_t> variables_;       // of the program, by variable of the draft
};

}  // namespace

ExprId emit_size(const Draft& draft, NodeId node, std::vector<Expr>& exprs) {
  if (node == kNone) return kNone;
  Expr expr = draft.nodes[node].expr;
  for (std::uint32_t i = 0; i < operand_count(expr); ++i) {
    expr.args[i] = emit_size(draft, expr.args[i], exprs);
  }
  return append(exprs, expr);
}

Expected<Program> materialise(const Draft& draft) { return Writer(draft).write(); }

}  // namespace vyre::ir
