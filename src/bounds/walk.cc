#include "bounds/walk.h"

#include <algorithm>

#include "ir/ops.h"

namespace vyre::bounds {

using ir::Block;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

Walk::Walk(const ir::Program& program, const LaunchKnowledge& launch, Facts& facts, Proofs& proofs)
    : program_(program), facts_(facts), proofs_(proofs), values_(program, launch, facts, proofs) {}

void Walk::statements(const Block& block) {
  for (const StmtId id : block) {
    stmt(id);
    if (program_.stmts[id].kind == StmtKind::return_) return;
  }
}

void Walk::stmt(StmtId id) {
  on_stmt(id);
  const Stmt& s = program_.stmts[id];
  switch (s.kind) {
    case StmtKind::let:
      return let(s);
    case StmtKind::assign:
      return values_.set(s.variable, values_.visit(s.args[0]));
    case StmtKind::store:
    case StmtKind::atomic:
      return access(id);
    case StmtKind::if_:
      return if_(s);
    case StmtKind::for_:
      return for_(id);
    case StmtKind::while_:
      return while_(s);
    case StmtKind::region:
      return statements(s.body);
    case StmtKind::return_:
    case StmtKind::barrier:
      return;
  }
}

void Walk::let(const Stmt& s) {
  const ir::Variable& v = program_.variables[s.variable];
  if (v.type != ir::Type{ir::Scalar::boolean, 1}) {
    return values_.set(s.variable, on_let(s.variable, values_.visit(s.args[0])));
  }
  Condition condition = values_.visit_condition(s.args[0]);
  if (!v.is_mutable) values_.set_condition(s.variable, std::move(condition));
}

void Walk::access(StmtId id) {
  const Stmt& s = program_.stmts[id];
  const Poly index = values_.visit(s.args[0]);
  const std::uint32_t width = program_.exprs[s.args[1]].type.width;
  if (values_.proves_guards()) {
    proofs_.inside_stmt[id] = values_.is_inside(s.buffer, index, width);
    proofs_.own_element[id] =
        s.kind == StmtKind::store && width == 1 && index == values_.place_in_workgroup();
  }
  values_.visit(s.args[1]);
  if (s.args[2] != ir::kNone) values_.visit(s.args[2]);
  on_access(id, index);
  if (s.kind == StmtKind::atomic && s.variable != ir::kNone) values_.forget(s.variable);
}

void Walk::assume(const std::vector<Poly>& facts, bool is_exact) {
  for (const Poly& fact : facts) facts_.assume(fact);
  guards_.insert(guards_.end(), facts.begin(), facts.end());
  certain_ = certain_ && is_exact;
}

void Walk::branch(const Block& body, const std::vector<Poly>& facts, bool is_exact) {
  const Facts::Mark mark = facts_.mark();
  const std::size_t guards = guards_.size();
  const bool was_certain = certain_;
  assume(facts, is_exact);
  statements(body);
  facts_.release(mark);
  guards_.resize(guards);
  certain_ = was_certain;
}

// Both branches start from the values before the `if`. Behind it, variables that either branch
// assigned are unknown.
void Walk::if_(const Stmt& s) {
  const Condition condition = values_.visit_condition(s.args[0]);
  std::vector<std::uint32_t> changed = assigned(s.body);
  std::vector<Poly> before;
  for (const std::uint32_t v : changed) before.push_back(values_.of(v));
  branch(s.body, condition.yes, condition.is_yes_exact);
  for (std::size_t k = 0; k < changed.size(); ++k) values_.set(changed[k], before[k]);
  branch(s.otherwise, condition.no, condition.is_no_exact);
  for (const std::uint32_t v : changed) values_.forget(v);
  for (const std::uint32_t v : assigned(s.otherwise)) values_.forget(v);
  end_some(s, condition);
}

// If one branch always returns, the other one's condition holds from there on, to the end of the
// block around the `if`. If that block is itself conditional, its end may not be reached.
void Walk::end_some(const Stmt& s, const Condition& condition) {
  const bool yes_ends = returns(s.body);
  const bool no_ends = returns(s.otherwise);
  if (yes_ends) assume(condition.no, condition.is_no_exact);
  if (no_ends) assume(condition.yes, condition.is_yes_exact);
  const bool is_outermost =
      std::ranges::any_of(program_.body, [&](StmtId id) { return &program_.stmts[id] == &s; });
  const bool is_plain =
      is_outermost && yes_ends != no_ends && !has_return(yes_ends ? s.otherwise : s.body);
  if (!is_plain && (has_return(s.body) || has_return(s.otherwise))) may_have_ended_ = true;
}

// Variables that a loop assigns may have any value when a turn starts, and behind the loop.
void Walk::loop(const Block& body, const std::function<void()>& enter) {
  const std::vector<std::uint32_t> changed = assigned(body);
  for (const std::uint32_t v : changed) values_.forget(v);
  if (has_return(body)) may_have_ended_ = true;
  const Facts::Mark mark = facts_.mark();
  const std::size_t guards = guards_.size();
  const bool was_certain = certain_;
  enter();
  statements(body);
  facts_.release(mark);
  guards_.resize(guards);
  certain_ = was_certain;
  for (const std::uint32_t v : changed) values_.forget(v);
}

Poly Walk::turn(StmtId stmt, const Poly& /*begin*/, const Poly& /*step*/) {
  const std::uint32_t variable = program_.stmts[stmt].variable;
  values_.forget(variable);
  return values_.of(variable);
}

// In every turn begin <= variable < end holds, since the count of turns is computed without
// wrapping.
void Walk::for_(StmtId id) {
  const Stmt& s = program_.stmts[id];
  const ir::Scalar type = program_.variables[s.variable].type.scalar;
  const Poly begin = values_.visit(s.args[0]);
  const Poly end = values_.visit(s.args[1]);
  const Poly step = values_.visit(s.args[2]);
  if (s.unroll != ir::kNone) values_.visit(s.unroll);
  const Poly most(Operations::range_of(type).high);
  proofs_.counts_up[id] = values_.proves_guards() && facts_.holds(step - Poly(1)) &&
                          facts_.holds(most - (end - Poly(1) + step));
  loops_.push_back(id);
  loop(s.body, [&] {
    const Poly variable = turn(id, begin, step);
    values_.set(s.variable, variable);
    facts_.assume(variable - begin);
    const bool is_exact = (end - variable).is_known() && step.is_known();
    assume({end - Poly(1) - variable, step - Poly(1)}, is_exact);
  });
  loops_.pop_back();
}

void Walk::while_(const Stmt& s) {
  values_.visit(s.args[1]);
  ++whiles_;
  loop(s.body, [&] { assume(values_.visit_condition(s.args[0]).yes, false); });
  --whiles_;
}

// Variables that the block, or a block inside it, assigns.
std::vector<std::uint32_t> Walk::assigned(const Block& block) const {
  std::vector<std::uint32_t> out;
  std::vector<const Block*> open{&block};
  while (!open.empty()) {
    const Block& next = *open.back();
    open.pop_back();
    for (const StmtId id : next) {
      const Stmt& s = program_.stmts[id];
      if (s.kind == StmtKind::assign) out.push_back(s.variable);
      open.push_back(&s.body);
      open.push_back(&s.otherwise);
    }
  }
  return out;
}

// Whether no invocation gets behind the block.
bool Walk::returns(const Block& block) const {
  return std::ranges::any_of(block, [&](StmtId id) {
    const Stmt& s = program_.stmts[id];
    if (s.kind == StmtKind::region) return returns(s.body);
    if (s.kind == StmtKind::if_) return returns(s.body) && returns(s.otherwise);
    return s.kind == StmtKind::return_;
  });
}

bool Walk::has_return(const Block& block) const {
  return std::ranges::any_of(block, [&](StmtId id) {
    const Stmt& s = program_.stmts[id];
    return s.kind == StmtKind::return_ || has_return(s.body) || has_return(s.otherwise);
  });
}

}  // namespace vyre::bounds
