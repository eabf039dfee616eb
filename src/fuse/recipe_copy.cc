#include "fuse/recipe_copy.h"

#include <algorithm>

#include "base/check.h"
#include "ir/ops.h"

namespace vyre::fuse {

ir::ExprId RecipeCopy::write() {
  for (const ir::StmtId id : recipe_.slice) rewrite_stmt(id);
  return rewrite(recipe_.value);
}

// The host has a launch of its own, so sizes of the recipe's launch are written out, and so are
// lengths of buffers, since a buffer may disappear.
ir::ExprId RecipeCopy::replace_expr(ir::ExprId id) {
  const ir::Expr& e = from().exprs[id];
  const std::uint32_t given = recipe_.given[id];
  if (given != ir::kNone) {
    const ir::ExprId value = given == 0 ? values_.number : values_.digits[given - 1];
    VYRE_CHECK(value != ir::kNone);
    return to().cast(e.type.scalar, to().copy(value));
  }
  if (e.op == ir::Op::load) {
    const auto known = std::ranges::find(values_.known, e.index, &KnownElement::buffer);
    return known == values_.known.end() ? ir::kNone : known_load(e, *known);
  }
  if (e.op == ir::Op::length) return rewrite(from().buffers[e.index].length);
  if (e.op == ir::Op::id) return launch_size(ir::id_kind(e.index), ir::id_axis(e.index));
  return ir::kNone;
}

ir::ExprId RecipeCopy::known_load(const ir::Expr& load, const KnownElement& known) {
  const bool is_known = recipe_.given[load.args[0]] == 0 && load.type.width == recipe_.width;
  has_other_load_ = has_other_load_ || !is_known;
  return is_known ? to().copy(known.value) : to().zero(load.type);
}

ir::ExprId RecipeCopy::launch_size(ir::IdKind kind, std::uint32_t axis) {
  const auto size = [&](ir::ExprId declared) {
    return declared == ir::kNone ? to().u32(1) : rewrite(declared);
  };
  if (kind == ir::IdKind::local_size) return size(from().workgroup[axis]);
  if (kind == ir::IdKind::groups) return size(from().grid[axis]);
  VYRE_CHECK(kind == ir::IdKind::global_size);
  const ir::ExprId groups = size(from().grid[axis]);
  return to().op(ir::Op::mul, {groups, size(from().workgroup[axis])});
}

bool RecipeCopy::replace_stmt(ir::StmtId id) {
  return from().stmts[id].kind == ir::StmtKind::store;
}

}  // namespace vyre::fuse
