#include "fuse/reindex.h"

#include <algorithm>

#include "bounds/radix.h"
#include "ir/ops.h"

namespace vyre::fuse {

using bounds::Poly;
using ir::ExprId;
using ir::IdKind;
using ir::kNone;
using ir::Op;
using ir::StmtId;

void Reindexer::write(const Domain& domain) {
  for (const StmtId let : domain.lets) rewrite_stmt(let);
  rewrite(domain.core);
}

ExprId Reindexer::by_rule(ExprId id) {
  const ir::Expr& e = from().exprs[id];
  if (!ir::is_integer(e.type) || ir::is_vector(e.type) || e.op == Op::constant) return kNone;
  const Poly& value = accesses_.value(id);
  if (!value.is_known() || accesses_.is_uniform(value)) return kNone;
  const auto rule = std::ranges::find(rules, value, &ReindexRule::value);
  if (rule == rules.end()) return kNone;
  return to().cast(e.type.scalar, to().variable_value(rule->variable));
}

ExprId Reindexer::replace_expr(ExprId id) {
  const ExprId replaced = by_rule(id);
  if (replaced != kNone) return replaced;
  const ir::Expr& e = from().exprs[id];
  const bool is_lost = e.op == Op::variable && variables[e.index] == kNone;
  if (e.op != Op::id && !is_lost) return kNone;
  if (!problem) problem = ir::print_expr(from(), id);
  return to().zero(e.type);
}

void FrameRewriter::write() { write_from(0); }

// The rest behind `if c { return }` becomes `if !c { the rest }`, so that what is added behind the
// core is not left out.
void FrameRewriter::write_from(std::size_t first) {
  const ir::Block& body = from().body;
  for (std::size_t k = first; k < body.size(); ++k) {
    const bool is_core = body[k] == domain_.core.front();
    if (is_core || !is_return_guard(from(), body[k])) {
      rewrite_stmt(body[k]);
      continue;
    }
    const ExprId condition = rewrite(from().stmts[body[k]].args[0]);
    const ExprId negated = to().op(Op::not_, {condition});
    to().open();
    write_from(k + 1);
    return to().close_if(negated);
  }
}

bool FrameRewriter::replace_stmt(StmtId id) {
  const bool was_in_core = is_in_core_;
  if (!was_in_core && id == domain_.core.front()) {
    name_axes();
    is_in_core_ = true;
    if (before) before();
  }
  if (id != domain_.core.back()) return false;
  rewrite_plainly(id);
  if (after) after();
  is_in_core_ = false;
  return true;
}

ExprId FrameRewriter::replace_expr(ExprId id) { return is_in_core_ ? by_rule(id) : kNone; }

// The number is the value of a variable of the frame, or of an id.
ExprId FrameRewriter::write_number(const Poly& number) {
  for (const ir::Stmt& s : from().stmts) {
    const bool names = s.kind == ir::StmtKind::let || s.kind == ir::StmtKind::for_;
    if (!names || variables[s.variable] == kNone) continue;
    if (accesses_.variable(s.variable) != number) continue;
    return to().variable_value(variables[s.variable]);
  }
  const auto atom = bounds::as_atom(number);
  const bounds::AtomInfo info = atom ? accesses_.atom(*atom) : bounds::AtomInfo{};
  if (info.kind == bounds::AtomKind::id) {
    return to().id(ir::id_kind(info.index), ir::id_axis(info.index));
  }
  if (!problem) problem = "a number that has no variable";
  return to().u32(0);
}

void FrameRewriter::name_axes() {
  for (const bounds::RadixAxis& axis : domain_.axes) {
    const ExprId number = write_number(axis.number);
    axes.push_back(to().let("number", to().cast(ir::Scalar::u32, number)));
    rules.push_back({axis.number, axes.back()});
  }
}

}  // namespace vyre::fuse
