#include "bounds/access_walk.h"

#include <algorithm>
#include <utility>

#include "ir/ops.h"

namespace vyre::bounds {
namespace {

// Facts that are kept for all places together. A program with more proves nothing.
constexpr std::size_t kMostKeptFacts = 200'000;

}  // namespace

AccessWalk::AccessWalk(const ir::Program& p, const LaunchKnowledge& launch, Facts& f,
                       Proofs& proofs, std::vector<std::uint32_t> opaque)
    : Walk(p, launch, f, proofs),
      base(f.mark()),
      expr_values(p.exprs.size(), Poly::unknown()),
      variable_values(p.variables.size(), Poly::unknown()),
      stmt_places(p.stmts.size(), ir::kNone),
      load_accesses(p.exprs.size(), ir::kNone),
      stmt_accesses(p.stmts.size(), ir::kNone),
      opaque_(std::move(opaque)) {
  values().on_value = [this](ir::ExprId id, const Poly& value) { note(id, value); };
}

void AccessWalk::note(ir::ExprId id, const Poly& value) {
  expr_values[id] = value;
  const ir::Expr& e = program().exprs[id];
  if (e.op != ir::Op::load) return;
  if (load_accesses[id] == ir::kNone) {
    load_accesses[id] = static_cast<std::uint32_t>(accesses.size());
  }
  accesses.push_back({AccessKind::load, e.index, e.type.width, id, stmt_, e.args[0],
                      expr_values[e.args[0]], current_place()});
}

void AccessWalk::on_stmt(ir::StmtId stmt) {
  stmt_ = stmt;
  stmt_places[stmt] = current_place();
}

void AccessWalk::on_access(ir::StmtId id, const Poly& index) {
  const ir::Stmt& s = program().stmts[id];
  const bool is_store = s.kind == ir::StmtKind::store;
  stmt_accesses[id] = static_cast<std::uint32_t>(accesses.size());
  accesses.push_back({is_store ? AccessKind::store : AccessKind::atomic, s.buffer,
                      program().exprs[s.args[1]].type.width, ir::kNone, id, s.args[0], index,
                      current_place()});
}

Poly AccessWalk::on_let(std::uint32_t variable, const Poly& value) {
  Poly out = value;
  if (std::ranges::find(opaque_, variable) != opaque_.end() && value.is_known()) {
    const Atom atom = facts().new_atom(facts().range(value));
    atoms[atom] = {AtomKind::variable, variable, false};
    out = Poly::of(atom);
    facts().assume(out - value);
    facts().assume(value - out);
    bound_like(atom, value);
  }
  if (!program().variables[variable].is_mutable) variable_values[variable] = out;
  return out;
}

// Bounds of the value that the conditions around it give are bounds of the atom.
void AccessWalk::bound_like(Atom atom, const Poly& value) {
  for (const Poly& guard : guards()) {
    const Poly bound = guard + value;
    const bool is_bound = bound.is_known() && values().operations().is_uniform(bound);
    if (is_bound) facts().assume(bound - Poly::of(atom));
  }
}

Poly AccessWalk::turn(ir::StmtId stmt, const Poly& begin, const Poly& step) {
  const std::uint32_t counter = program().stmts[stmt].variable;
  const Range range = Operations::range_of(program().variables[counter].type.scalar);
  const Atom atom = facts().new_atom({0, range.high - range.low});
  const Poly variable = begin + step * Poly::of(atom);
  if (!variable.is_known()) return Walk::turn(stmt, begin, step);
  atoms[atom] = {AtomKind::turn, stmt, false};
  turns[stmt] = atom;
  variable_values[counter] = variable;
  return variable;
}

// Places with the same facts, one after the other, are one.
std::uint32_t AccessWalk::current_place() {
  const bool is_same = !places.empty() && version_ == facts().version() &&
                       places.back().is_certain == is_certain() &&
                       places.back().is_in_while == is_in_while() &&
                       places.back().guards == guards() && places.back().loops == loops();
  if (!is_same && is_complete) {
    std::vector<FactId> kept = facts().since(base);
    kept_ += kept.size() + guards().size();
    is_complete = kept_ <= kMostKeptFacts;
    places.push_back({std::move(kept), guards(), loops(), is_certain(), is_in_while()});
    version_ = facts().version();
  }
  return static_cast<std::uint32_t>(places.size() - 1);
}

}  // namespace vyre::bounds
