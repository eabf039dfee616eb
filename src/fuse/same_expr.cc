#include "fuse/same_expr.h"

#include "ir/ops.h"

namespace vyre::fuse {
namespace {

bool same_leaf(const ir::Program& a, const ir::Expr& x, const ir::Program& b, const ir::Expr& y) {
  switch (x.op) {
    case ir::Op::constant:
      return x.bits == y.bits;
    case ir::Op::symbol:
      return a.symbols[x.index].name == b.symbols[y.index].name;
    case ir::Op::load:
    case ir::Op::length:
      return a.buffers[x.index].name == b.buffers[y.index].name;
    case ir::Op::variable:
      return &a == &b && x.index == y.index;
    case ir::Op::id:
    case ir::Op::extract:
      return x.index == y.index;
    default:
      return true;
  }
}

}  // namespace

bool same_expr(const ir::Program& a, ir::ExprId x, const ir::Program& b, ir::ExprId y) {
  if (x == ir::kNone || y == ir::kNone) return x == y;
  const ir::Expr& left = a.exprs[x];
  const ir::Expr& right = b.exprs[y];
  if (left.op != right.op || left.type != right.type || !same_leaf(a, left, b, right)) return false;
  for (std::uint32_t k = 0; k < ir::operand_count(left); ++k) {
    if (!same_expr(a, left.args[k], b, right.args[k])) return false;
  }
  return true;
}

}  // namespace vyre::fuse
