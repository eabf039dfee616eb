#include "bounds/order.h"

namespace vyre::bounds {

using ir::StmtId;
using ir::StmtKind;

StmtOrder::StmtOrder(const ir::Program& program) : program_(program), nodes_(program.stmts.size()) {
  visit(program.body, ir::kNone, false);
}

void StmtOrder::visit(const ir::Block& block, StmtId around, bool is_otherwise) {
  for (const StmtId id : block) {
    nodes_[id] = {next_++, 0, around, is_otherwise};
    visit(program_.stmts[id].body, id, false);
    visit(program_.stmts[id].otherwise, id, true);
    nodes_[id].last = next_ - 1;
  }
}

bool StmtOrder::dominates(StmtId earlier, StmtId later) const {
  const Node& e = nodes_[earlier];
  for (StmtId at = later; at != ir::kNone; at = nodes_[at].around) {
    if (nodes_[at].around != e.around || nodes_[at].is_otherwise != e.is_otherwise) continue;
    return e.number < nodes_[at].number;
  }
  return false;
}

std::vector<StmtId> StmtOrder::loops_around(StmtId inner, StmtId other) const {
  std::vector<StmtId> out;
  // The condition of a `while` is evaluated in each turn, the bounds of a `for` only once.
  const bool is_while = program_.stmts[inner].kind == StmtKind::while_;
  for (StmtId at = is_while ? inner : nodes_[inner].around; at != ir::kNone;
       at = nodes_[at].around) {
    const StmtKind kind = program_.stmts[at].kind;
    const bool is_loop = kind == StmtKind::for_ || kind == StmtKind::while_;
    if (is_loop && !is_inside(other, at)) out.push_back(at);
  }
  return out;
}

}  // namespace vyre::bounds
