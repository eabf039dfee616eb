#include "ir/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ir/ops.h"

namespace vyre::ir {
namespace {

// Counts the uses of nodes of one kind and remembers the first use that a tree cannot have.
class UsedOnce {
 public:
  UsedOnce(std::string_view kind, std::size_t nodes) : kind_(kind), used_(nodes, false) {}

  // `limit` is the first id that this user may not refer to.
  void use(std::uint32_t id, std::size_t limit, std::string_view user, std::size_t user_id) {
    if (problem_) return;
    if (id == kNone) {
      problem_ = fmt::format("{} {} lacks an {} operand", user, user_id, kind_);
    } else if (id >= used_.size()) {
      problem_ =
          fmt::format("{} {} refers to {} {}, which does not exist", user, user_id, kind_, id);
    } else if (id >= limit) {
      problem_ = fmt::format("{} {} refers to {} {}, which does not come before it", user, user_id,
                             kind_, id);
    } else if (used_[id]) {
      problem_ = fmt::format("{} {} is used twice", kind_, id);
    } else {
      used_[id] = true;
    }
  }
  void use_if_any(std::uint32_t id, std::string_view user, std::size_t user_id) {
    if (id != kNone) use(id, used_.size(), user, user_id);
  }
  void report(std::string problem) {
    if (!problem_) problem_ = std::move(problem);
  }
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  std::string_view kind_;
  std::vector<bool> used_;
  std::optional<std::string> problem_;
};

void use_exprs(std::span<const Expr> exprs, UsedOnce& uses) {
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    if (!is_known(exprs[i].op)) uses.report(fmt::format("expression {} has no known op", i));
    for (const ExprId arg : operands(exprs[i])) uses.use(arg, i, "expression", i);
  }
}

void use_lengths(std::span<const Buffer> buffers, UsedOnce& uses) {
  for (std::size_t i = 0; i < buffers.size(); ++i) uses.use_if_any(buffers[i].length, "buffer", i);
}

}  // namespace

bool is_known(Op op) { return op <= table_ops().back(); }

std::span<const ExprId> operands(const Stmt& stmt) {
  const auto first = [&](std::size_t n) { return std::span(stmt.args).first(n); };
  switch (stmt.kind) {
    case StmtKind::let:
    case StmtKind::assign:
    case StmtKind::if_:
      return first(1);
    case StmtKind::store:
    case StmtKind::while_:
      return first(2);
    case StmtKind::for_:
      return first(3);
    case StmtKind::atomic:
      return first(stmt.atomic == AtomicOp::compare_exchange ? 3 : 2);
    case StmtKind::return_:
    case StmtKind::barrier:
    case StmtKind::region:
      break;
  }
  return {};
}

std::span<const ExprId> operands(const Expr& expr) {
  return std::span(expr.args).first(is_known(expr.op) ? operand_count(expr) : 0);
}

std::optional<std::string> tree_problem(const Program& program) {
  UsedOnce exprs("expression", program.exprs.size());
  UsedOnce stmts("statement", program.stmts.size());
  use_exprs(program.exprs, exprs);
  use_lengths(program.buffers, exprs);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    exprs.use_if_any(program.workgroup[axis], "workgroup axis", axis);
    exprs.use_if_any(program.grid[axis], "grid axis", axis);
  }
  for (std::size_t i = 0; i < program.stmts.size(); ++i) {
    const Stmt& stmt = program.stmts[i];
    if (stmt.kind > StmtKind::region)
      exprs.report(fmt::format("statement {} has no known kind", i));
    for (const ExprId arg : operands(stmt)) exprs.use(arg, program.exprs.size(), "statement", i);
    if (stmt.kind == StmtKind::for_) exprs.use_if_any(stmt.unroll, "statement", i);
    for (const StmtId child : stmt.body) stmts.use(child, i, "statement", i);
    for (const StmtId child : stmt.otherwise) stmts.use(child, i, "statement", i);
  }
  for (const StmtId child : program.body) stmts.use(child, program.stmts.size(), "body", 0);
  return exprs.problem() ? exprs.problem() : stmts.problem();
}

std::optional<std::string> tree_problem(const SequenceDef& sequence) {
  UsedOnce exprs("expression", sequence.exprs.size());
  use_exprs(sequence.exprs, exprs);
  use_lengths(sequence.buffers, exprs);
  for (std::size_t i = 0; i < sequence.steps.size(); ++i) {
    for (const ExprId value : sequence.steps[i].symbols) exprs.use_if_any(value, "step", i);
    exprs.use_if_any(sequence.steps[i].when, "step", i);
  }
  return exprs.problem();
}

std::uint32_t expr_depth(std::span<const Expr> exprs) {
  std::vector<std::uint32_t> depth(exprs.size(), 1);
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    for (const ExprId arg : operands(exprs[i])) depth[i] = std::max(depth[i], depth[arg] + 1);
  }
  return depth.empty() ? 0 : *std::ranges::max_element(depth);
}

std::uint32_t stmt_depth(std::span<const Stmt> stmts) {
  std::vector<std::uint32_t> depth(stmts.size(), 1);
  for (std::size_t i = 0; i < stmts.size(); ++i) {
    for (const Block* block : {&stmts[i].body, &stmts[i].otherwise}) {
      for (const StmtId child : *block) depth[i] = std::max(depth[i], depth[child] + 1);
    }
  }
  return depth.empty() ? 0 : *std::ranges::max_element(depth);
}

}  // namespace vyre::ir
