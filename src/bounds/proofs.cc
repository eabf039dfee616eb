#include "bounds/proofs.h"

#include <algorithm>
#include <functional>

#include "bounds/values.h"
#include "ir/ops.h"

namespace vyre::bounds {
namespace {

using ir::Block;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

// Walks over the statements in the order in which they run. It assumes the facts of a branch or
// loop on entering it and releases them on leaving, so that each visit of an expression sees
// exactly the facts that hold there.
class Walk {
 public:
  Walk(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
       const std::array<std::uint32_t, 3>& workgroup, Proofs& proofs)
      : program_(program), proofs_(proofs), values_(program, symbols, workgroup, facts_, proofs) {}

  void run() { statements(program_.body); }

 private:
  void statements(const Block& block) {
    for (const StmtId id : block) {
      stmt(id);
      if (program_.stmts[id].kind == StmtKind::return_) return;
    }
  }

  void stmt(StmtId id) {
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

  void let(const Stmt& s) {
    const ir::Variable& v = program_.variables[s.variable];
    if (v.type != ir::Type{ir::Scalar::boolean, 1}) {
      return values_.set(s.variable, values_.visit(s.args[0]));
    }
    Condition condition = values_.visit_condition(s.args[0]);
    if (!v.is_mutable) values_.set_condition(s.variable, std::move(condition));
  }

  void access(StmtId id) {
    const Stmt& s = program_.stmts[id];
    const Poly index = values_.visit(s.args[0]);
    const std::uint32_t width = program_.exprs[s.args[1]].type.width;
    proofs_.inside_stmt[id] = values_.is_inside(s.buffer, index, width);
    proofs_.own_element[id] =
        s.kind == StmtKind::store && width == 1 && index == values_.place_in_workgroup();
    values_.visit(s.args[1]);
    if (s.args[2] != ir::kNone) values_.visit(s.args[2]);
    if (s.kind == StmtKind::atomic && s.variable != ir::kNone) values_.forget(s.variable);
  }

  void assume(const std::vector<Poly>& facts) {
    for (const Poly& fact : facts) facts_.assume(fact);
  }

  void branch(const Block& body, const std::vector<Poly>& facts) {
    const Facts::Mark mark = facts_.mark();
    assume(facts);
    statements(body);
    facts_.release(mark);
  }

  // Both branches start from the values before the `if`. Behind it, variables that either branch
  // assigned are unknown. If one branch always returns, the other one's condition holds from there
  // on.
  void if_(const Stmt& s) {
    const Condition condition = values_.visit_condition(s.args[0]);
    std::vector<std::uint32_t> changed = assigned(s.body);
    std::vector<Poly> before;
    for (const std::uint32_t v : changed) before.push_back(values_.of(v));
    branch(s.body, condition.yes);
    for (std::size_t k = 0; k < changed.size(); ++k) values_.set(changed[k], before[k]);
    branch(s.otherwise, condition.no);
    for (const std::uint32_t v : changed) values_.forget(v);
    for (const std::uint32_t v : assigned(s.otherwise)) values_.forget(v);
    if (returns(s.body)) assume(condition.no);
    if (returns(s.otherwise)) assume(condition.yes);
  }

  // Variables that a loop assigns may have any value when a turn starts, and behind the loop.
  void loop(const Block& body, const std::function<void()>& enter) {
    const std::vector<std::uint32_t> changed = assigned(body);
    for (const std::uint32_t v : changed) values_.forget(v);
    const Facts::Mark mark = facts_.mark();
    enter();
    statements(body);
    facts_.release(mark);
    for (const std::uint32_t v : changed) values_.forget(v);
  }

  // In every turn begin <= variable < end holds, since the count of turns is computed without
  // wrapping.
  void for_(StmtId id) {
    const Stmt& s = program_.stmts[id];
    const ir::Scalar type = program_.variables[s.variable].type.scalar;
    const Poly begin = values_.visit(s.args[0]);
    const Poly end = values_.visit(s.args[1]);
    const Poly step = values_.visit(s.args[2]);
    if (s.unroll != ir::kNone) values_.visit(s.unroll);
    const Poly most(Operations::range_of(type).high);
    proofs_.counts_up[id] =
        facts_.holds(step - Poly(1)) && facts_.holds(most - (end - Poly(1) + step));
    loop(s.body, [&] {
      values_.forget(s.variable);
      const Poly variable = values_.of(s.variable);
      facts_.assume(variable - begin);
      facts_.assume(end - Poly(1) - variable);
      facts_.assume(step - Poly(1));
    });
  }

  void while_(const Stmt& s) {
    values_.visit(s.args[1]);
    loop(s.body, [&] { assume(values_.visit_condition(s.args[0]).yes); });
  }

  // Variables that the block, or a block inside it, assigns.
  std::vector<std::uint32_t> assigned(const Block& block) const {
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
  bool returns(const Block& block) const {
    return std::ranges::any_of(block, [&](StmtId id) {
      const Stmt& s = program_.stmts[id];
      if (s.kind == StmtKind::region) return returns(s.body);
      if (s.kind == StmtKind::if_) return returns(s.body) && returns(s.otherwise);
      return s.kind == StmtKind::return_;
    });
  }

  const ir::Program& program_;
  Proofs& proofs_;
  Facts facts_;
  Values values_;
};

}  // namespace

Proofs prove(const ir::Program& program, std::span<const std::optional<std::uint64_t>> symbols,
             const std::array<std::uint32_t, 3>& workgroup) {
  Proofs out;
  out.inside.resize(program.exprs.size());
  out.plain.resize(program.exprs.size());
  out.inside_stmt.resize(program.stmts.size());
  out.own_element.resize(program.stmts.size());
  out.counts_up.resize(program.stmts.size());
  Walk(program, symbols, workgroup, out).run();
  return out;
}

}  // namespace vyre::bounds
