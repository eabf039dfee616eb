#include "fuse/store_path.h"

#include <algorithm>
#include <utility>

#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::fuse {
namespace {

using ir::Block;
using ir::ExprId;
using ir::kNone;
using ir::Op;
using ir::Program;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

class PathFinder {
 public:
  PathFinder(const Program& program, std::uint32_t buffer) : program_(program), buffer_(buffer) {}

  void search(const Block& block, StorePath path) {
    for (const StmtId id : block) {
      const Stmt& s = program_.stmts[id];
      if (s.kind == StmtKind::store && s.buffer == buffer_) {
        found.push_back(path);
        found.back().store = id;
      }
      StorePath inner = path;
      inner.around.push_back(id);
      if (s.kind == StmtKind::for_) inner.turning.push_back(s.variable);
      if (ir::has_block(s.kind)) search(s.body, inner);
      if (s.kind == StmtKind::if_) search(s.otherwise, inner);
      path.before.push_back(id);
    }
  }

  std::vector<StorePath> found;

 private:
  const Program& program_;
  std::uint32_t buffer_;
};

void visit_stmts(const Program& program, StmtId root, const std::function<void(const Stmt&)>& see) {
  std::vector<StmtId> open{root};
  while (!open.empty()) {
    const Stmt& s = program.stmts[open.back()];
    open.pop_back();
    see(s);
    open.insert(open.end(), s.body.begin(), s.body.end());
    open.insert(open.end(), s.otherwise.begin(), s.otherwise.end());
  }
}

// The set of variables that must have their values, going backwards from the store.
class Needs {
 public:
  Needs(const Program& program, const IsGiven& is_given)
      : program_(program), is_given_(is_given), needed_(program.variables.size(), false) {}

  void use(ExprId id) {
    if (id == kNone || is_given_(id)) return;
    const ir::Expr& e = program_.exprs[id];
    if (e.op == Op::variable) needed_[e.index] = true;
    for (const ExprId operand : ir::operands(e)) use(operand);
  }

  // Stores write nothing that the slice reads, so it leaves them out, and what only they use.
  bool wants(StmtId id) const {
    bool any = false;
    visit_stmts(program_, id, [&](const Stmt& s) {
      const bool gives = s.kind == StmtKind::let || s.kind == StmtKind::assign;
      any = any || (gives && needed_[s.variable]);
    });
    return any;
  }

  void use_all(StmtId id) {
    visit_stmts(program_, id, [&](const Stmt& s) {
      if (s.kind == StmtKind::store) return;
      for (const ExprId operand : ir::operands(s)) use(operand);
    });
  }

  // Whether a turn of the loop sees a value that an earlier turn has assigned. A variable that the
  // loop itself introduces starts anew in each turn.
  bool is_carried(StmtId loop) const {
    std::vector<bool> own(needed_.size(), false);
    visit_stmts(program_, loop, [&](const Stmt& s) {
      if (s.kind == StmtKind::let) own[s.variable] = true;
    });
    bool any = false;
    visit_stmts(program_, loop, [&](const Stmt& s) {
      any = any || (s.kind == StmtKind::assign && needed_[s.variable] && !own[s.variable]);
    });
    return any;
  }

 private:
  const Program& program_;
  const IsGiven& is_given_;
  std::vector<bool> needed_;
};

}  // namespace

std::vector<StorePath> find_stores(const Program& program, std::uint32_t buffer) {
  PathFinder finder(program, buffer);
  finder.search(program.body, {});
  return std::move(finder.found);
}

// Goes from the store upwards and takes each statement that gives a value to a variable which the
// statements below need.
std::optional<std::vector<StmtId>> slice_before(const Program& program, const StorePath& path,
                                                const std::vector<ExprId>& wanted,
                                                const IsGiven& is_given) {
  Needs needs(program, is_given);
  for (const ExprId id : wanted) needs.use(id);
  std::vector<StmtId> out;
  for (std::size_t k = path.before.size(); k-- > 0;) {
    if (!needs.wants(path.before[k])) continue;
    out.push_back(path.before[k]);
    needs.use_all(path.before[k]);
  }
  for (const StmtId id : path.around) {
    if (program.stmts[id].kind == StmtKind::for_ && needs.is_carried(id)) return std::nullopt;
  }
  std::ranges::reverse(out);
  return out;
}

bool has_loop(const Program& program, StmtId stmt) {
  bool any = false;
  visit_stmts(program, stmt, [&](const Stmt& s) {
    any = any || s.kind == StmtKind::for_ || s.kind == StmtKind::while_;
  });
  return any;
}

}  // namespace vyre::fuse
