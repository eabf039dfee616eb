#include "fuse/recipe_copy.h"

#include <algorithm>

#include "base/check.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::fuse {

ir::ExprId RecipeCopy::write() {
  for (const ir::StmtId id : recipe_.slice) {
    const ir::Stmt& s = from().stmts[id];
    const bool is_let = s.kind == ir::StmtKind::let && !from().variables[s.variable].is_mutable;
    if (is_let && lasting_[s.variable] != ir::kNone) continue;
    if (is_let && is_index(id)) {
      indices_[s.variable] = s.args[0];
      continue;
    }
    rewrite_stmt(id);
    if (is_let && is_lasting(s.args[0])) lasting_[s.variable] = variables[s.variable];
  }
  return rewrite(recipe_.value);
}

void RecipeCopy::reuse(const std::vector<std::uint32_t>& lasting) {
  lasting_ = lasting;
  variables = lasting;
}

// Whether a let is part of an index, such as y * w + x. It is then written where it is used. So
// indices of several elements are sums with the same terms, of which a compiler sees how far they
// are apart.
bool RecipeCopy::is_index(ir::StmtId let) const {
  constexpr std::uint32_t most = 9;
  return index_nodes(from().stmts[let].args[0]) <= most;
}

std::uint32_t RecipeCopy::index_nodes(ir::ExprId id) const {
  constexpr std::uint32_t too_many = 100;
  const ir::Expr& e = from().exprs[id];
  if (recipe_.given[id] != ir::kNone || e.op == ir::Op::constant || e.op == ir::Op::symbol) {
    return 1;
  }
  if (e.op == ir::Op::variable && indices_[e.index] != ir::kNone) {
    return index_nodes(indices_[e.index]);
  }
  const bool is_sum = e.op == ir::Op::add || e.op == ir::Op::sub || e.op == ir::Op::mul;
  if (!is_sum || e.type != ir::kU32) return too_many;
  return 1 + index_nodes(e.args[0]) + index_nodes(e.args[1]);
}

// left + (a + b) is written as left + a + b.
ir::ExprId RecipeCopy::sum(ir::ExprId left, ir::ExprId right) {
  const ir::Expr e = to().program().exprs[right];
  if (e.op != ir::Op::add) return to().op(ir::Op::add, {left, right});
  return sum(sum(left, e.args[0]), e.args[1]);
}

// Whether the expression is made of given values and of variables that last.
bool RecipeCopy::is_lasting(ir::ExprId id) const {
  const ir::Expr& e = from().exprs[id];
  if (recipe_.given[id] != ir::kNone) return true;
  if (e.op == ir::Op::variable && indices_[e.index] != ir::kNone) return true;
  if (e.op == ir::Op::variable) return lasting_[e.index] != ir::kNone;
  return std::ranges::all_of(ir::operands(e),
                             [&](ir::ExprId operand) { return is_lasting(operand); });
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
  if (e.op == ir::Op::variable && indices_[e.index] != ir::kNone) {
    return rewrite(indices_[e.index]);
  }
  if (e.op == ir::Op::add && e.type == ir::kU32) {
    const ir::ExprId left = rewrite(e.args[0]);
    return sum(left, rewrite(e.args[1]));
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
