#include "ir/rewrite/rewriter.h"

#include <utility>

#include "base/check.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::ir {

Access joined_access(Access first, Access second) {
  if (first == Access::write || first == second) return first;
  return first == Access::read && second == Access::read ? Access::read : Access::read_write;
}

Rewriter::Rewriter(const Program& from, ProgramWriter& to)
    : symbols(from.symbols.size(), kNone),
      buffers(from.buffers.size(), kNone),
      variables(from.variables.size(), kNone),
      from_(from),
      to_(to) {}

void Rewriter::declare_symbols() {
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    if (symbols[k] == kNone) symbols[k] = to_.symbol(from_.symbols[k]);
  }
}

void Rewriter::declare_buffers() {
  for (std::uint32_t k = 0; k < buffers.size(); ++k) declare_buffer(k);
}

std::uint32_t Rewriter::declare_buffer(std::uint32_t buffer) {
  std::uint32_t& index = buffers[buffer];
  if (index != kNone) return index;
  Buffer b = from_.buffers[buffer];
  const bool bound = is_bound(b.access);
  index = bound ? to_.find_buffer(b.name) : kNone;
  if (index != kNone) {
    Access& access = to_.program().buffers[index].access;
    access = joined_access(access, b.access);
    return index;
  }
  if (!bound) b.name = to_.free_name(b.name);
  const ExprId length = rewrite(b.length);
  index = to_.buffer(b, length);
  return index;
}

void Rewriter::declare_launch() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    to_.program().workgroup[axis] = rewrite(from_.workgroup[axis]);
    to_.program().grid[axis] = rewrite(from_.grid[axis]);
  }
}

ExprId Rewriter::rewrite(ExprId id) {
  if (id == kNone) return kNone;
  const ExprId replaced = replace_expr(id);
  return replaced != kNone ? replaced : rewrite_operands(id);
}

ExprId Rewriter::rewrite_operands(ExprId id) {
  Expr e = from_.exprs[id];
  for (std::uint32_t k = 0; k < operand_count(e); ++k) e.args[k] = rewrite(e.args[k]);
  if (e.op == Op::symbol) {
    std::uint32_t& index = symbols[e.index];
    if (index == kNone) index = to_.symbol(from_.symbols[e.index]);
    e.index = index;
  }
  if (e.op == Op::variable) {
    e.index = variables[e.index];
    VYRE_CHECK(e.index != kNone);
  }
  if (e.op == Op::load || e.op == Op::length) e.index = declare_buffer(e.index);
  return to_.expr(e);
}

void Rewriter::rewrite(const Block& block) {
  for (const StmtId id : block) rewrite_stmt(id);
}

void Rewriter::rewrite_stmt(StmtId id) {
  if (!replace_stmt(id)) rewrite_plainly(id);
}

std::uint32_t Rewriter::introduce(std::uint32_t variable) {
  const Variable& v = from_.variables[variable];
  variables[variable] = to_.variable(v.name, v.type, v.is_mutable);
  return variables[variable];
}

Block Rewriter::rewrite_inside(const Block& block) {
  to_.open();
  rewrite(block);
  return to_.close();
}

// Operands come first, so that statements that they need stand before this one. The variable of a
// `let`, a `for` or an atomic is not visible in its own operands.
void Rewriter::rewrite_plainly(StmtId id) {
  const Stmt& s = from_.stmts[id];
  Stmt out;
  out.kind = s.kind;
  out.atomic = s.atomic;
  out.name = s.name;
  for (std::size_t k = 0; k < operands(s).size(); ++k) {
    const bool was = std::exchange(in_condition_, s.kind == StmtKind::while_ && k == 0);
    out.args[k] = rewrite(s.args[k]);
    in_condition_ = was;
  }
  out.unroll = rewrite(s.unroll);
  if (s.buffer != kNone) out.buffer = declare_buffer(s.buffer);
  if (s.kind == StmtKind::assign) {
    out.variable = variables[s.variable];
  } else if (s.variable != kNone) {
    out.variable = introduce(s.variable);
  }
  if (has_block(s.kind)) out.body = rewrite_inside(s.body);
  if (s.kind == StmtKind::if_) out.otherwise = rewrite_inside(s.otherwise);
  to_.stmt(std::move(out));
}

}  // namespace vyre::ir
