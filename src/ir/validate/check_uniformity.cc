// Whether all invocations of a workgroup reach each barrier together.
//
// A difference between invocations spreads along three kinds of edges: from a value to the
// variables that it goes into; from a condition to every statement that it governs; from a return
// that only some invocations take to every statement that may run after it. Each variable and each
// statement is marked at most once, so the check takes time linear in the program.

#include "ir/validate/check_uniformity.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::ir {
namespace {

bool is_loop(const Stmt& s) { return s.kind == StmtKind::for_ || s.kind == StmtKind::while_; }

class Uniformity {
 public:
  explicit Uniformity(Inspection& inspection)
      : inspection_(inspection),
        program_(inspection.program),
        varies_(program_.variables.size(), false),
        users_(program_.variables.size()),
        causes_(program_.stmts.size()),
        checked_(program_.stmts.size(), false),
        slots_(program_.stmts.size()),
        kept_(program_.stmts.size() * 2 + 1, std::numeric_limits<std::size_t>::max()) {
    for (std::size_t i = 0; i < program_.body.size(); ++i) slots_[program_.body[i]] = {i, false};
    for (const Stmt& s : program_.stmts) {
      for (std::size_t i = 0; i < s.body.size(); ++i) slots_[s.body[i]] = {i, false};
      for (std::size_t i = 0; i < s.otherwise.size(); ++i) slots_[s.otherwise[i]] = {i, true};
    }
  }

  void check() {
    for (const StmtId id : inspection_.stmts) seed(id);
    spread();
    for (const StmtId id : inspection_.stmts) {
      if (program_.stmts[id].kind == StmtKind::barrier && causes_[id].is_set()) report(id);
    }
  }

 private:
  // The reason why a statement does not run in all invocations: the if or loop that governs it, or
  // the return after which it runs together with the reason for that return.
  struct Cause {
    StmtId governor = kNone;
    bool is_return = false;
    bool is_set() const { return governor != kNone; }
  };

  void seed(StmtId id) {
    const Stmt& s = program_.stmts[id];
    bool differs = false;
    for (const ExprId arg : operands(s)) {
      for_each_node(program_.exprs, arg, [&](ExprId, const Expr& e) {
        differs = differs || is_source(e);
        if (e.op == Op::variable) users_[e.index].push_back(id);
      });
    }
    if (differs) values_differ(id);
    if (s.kind == StmtKind::atomic && s.variable != kNone) vary(s.variable);
  }

  bool is_source(const Expr& e) const {
    if (e.op == Op::load) return program_.buffers[e.index].access != Access::read;
    if (e.op != Op::id) return false;
    return id_kind(e.index) == IdKind::global_id || id_kind(e.index) == IdKind::local_id;
  }

  void spread() {
    while (!variables_.empty() || !returns_.empty()) {
      if (!returns_.empty()) {
        const StmtId id = returns_.back();
        returns_.pop_back();
        after_return(id);
        continue;
      }
      const std::uint32_t variable = variables_.back();
      variables_.pop_back();
      for (const StmtId user : users_[variable]) values_differ(user);
    }
  }

  void vary(std::uint32_t variable) {
    if (varies_[variable]) return;
    varies_[variable] = true;
    variables_.push_back(variable);
  }

  // An operand of the statement differs between invocations.
  void values_differ(StmtId id) {
    if (checked_[id]) return;
    checked_[id] = true;
    const Stmt& s = program_.stmts[id];
    if (s.variable != kNone) vary(s.variable);
    diverge({id, false}, 0, {id, false});
    diverge({id, true}, 0, {id, false});
  }

  // Marks the statements that may run after a return which only some invocations take: the rest of
  // each block around it, and the whole body of a loop around it.
  void after_return(StmtId id) {
    const Cause cause{causes_[id].governor, true};
    for (; id != kNone; id = inspection_.parents[id]) {
      const StmtId parent = inspection_.parents[id];
      const bool repeats = parent != kNone && is_loop(program_.stmts[parent]);
      diverge({parent, slots_[id].in_otherwise}, repeats ? 0 : slots_[id].index + 1, cause);
    }
  }

  struct BlockId {
    StmtId stmt;  // kNone: Program::body
    bool otherwise;
  };

  const Block& block_of(BlockId id) const {
    if (id.stmt == kNone) return program_.body;
    return id.otherwise ? program_.stmts[id.stmt].otherwise : program_.stmts[id.stmt].body;
  }

  // Marks the block's statements from `first` on, and all statements inside them: they run in some
  // invocations only.
  void diverge(BlockId id, std::size_t first, Cause cause) {
    const Block& block = block_of(id);
    const std::size_t number = id.stmt == kNone ? 0 : std::size_t{id.stmt} * 2 + 1 + id.otherwise;
    std::size_t& last = kept_[number];  // from here on all are marked already
    last = std::min(last, block.size());
    for (std::size_t i = first; i < last; ++i) diverge(block[i], cause);
    last = std::min(last, first);
  }

  void diverge(StmtId root, Cause cause) {
    std::vector<StmtId> open{root};
    while (!open.empty()) {
      const StmtId id = open.back();
      open.pop_back();
      if (causes_[id].is_set()) continue;
      causes_[id] = cause;
      const Stmt& s = program_.stmts[id];
      if (s.variable != kNone) vary(s.variable);
      if (s.kind == StmtKind::return_) returns_.push_back(id);
      open.insert(open.end(), s.body.begin(), s.body.end());
      open.insert(open.end(), s.otherwise.begin(), s.otherwise.end());
    }
  }

  void report(StmtId barrier) {
    const Cause cause = causes_[barrier];
    const std::string governor = quote(print_stmt(program_, cause.governor));
    if (cause.is_return) {
      inspection_.report(
          {Part::body, barrier}, "V071",
          "some invocations of a workgroup may have returned before it, under {}; let "
          "them skip the work instead of returning",
          governor);
    } else {
      inspection_.report({Part::body, barrier}, "V070",
                         "not all invocations of a workgroup may reach it, because {} can differ "
                         "between them; move it out of there",
                         governor);
    }
  }

  // Where a statement stands in its block.
  struct Slot {
    std::size_t index = 0;
    bool in_otherwise = false;
  };

  Inspection& inspection_;
  const Program& program_;
  std::vector<bool> varies_;                // by variable
  std::vector<std::vector<StmtId>> users_;  // by variable: statements with it in an operand
  std::vector<Cause> causes_;               // by statement
  std::vector<bool> checked_;               // by statement: values_differ was here
  std::vector<Slot> slots_;                 // by statement
  std::vector<std::size_t> kept_;           // by block
  std::vector<std::uint32_t> variables_;    // to spread from
  std::vector<StmtId> returns_;             // to spread from
};

}  // namespace

void check_uniformity(Inspection& inspection) { Uniformity(inspection).check(); }

}  // namespace vyre::ir
