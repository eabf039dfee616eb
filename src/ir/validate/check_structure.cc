#include "ir/validate/check_structure.h"

#include <algorithm>

#include "ir/ops.h"
#include "ir/structure.h"
#include "ir/validate/references.h"

namespace vyre::ir {
namespace {

// The fields that a kind of statement has.
struct Shape {
  std::size_t args = 0;
  bool buffer = false;
  bool body = false;
  bool otherwise = false;
};

Shape shape_of(const Stmt& stmt) {
  Shape shape{.args = operands(stmt).size()};
  switch (stmt.kind) {
    case StmtKind::store:
    case StmtKind::atomic:
      shape.buffer = true;
      break;
    case StmtKind::if_:
      shape.otherwise = true;
      [[fallthrough]];
    case StmtKind::for_:
    case StmtKind::while_:
    case StmtKind::region:
      shape.body = true;
      break;
    default:
      break;
  }
  return shape;
}

bool uses_index(Op op) {
  return op == Op::symbol || op == Op::variable || op == Op::id || op == Op::length ||
         op == Op::load || op == Op::extract;
}

class Structure {
 public:
  Structure(const Program& program, std::string_view kind)
      : program_(program), references_(kind, program.name) {}

  std::vector<Error> check(std::span<const Root> extra);

 private:
  bool within_limits();
  void declarations();
  void launch();
  void expr(std::size_t id);
  void index(User user, const Expr& expr);
  void stmt(std::size_t id);
  void fields(User user, const Stmt& stmt, const Shape& shape);
  void variable(User user, const Stmt& stmt);
  void expr_depth();
  void stmt_depth();

  const Program& program_;
  References references_;
  Uses exprs_{"expression", {}};
  Uses stmts_{"statement", {}};
  Uses variables_{"variable", {}};
};

bool Structure::within_limits() {
  const Program& p = program_;
  references_.at_most(p.exprs.size() + p.stmts.size(), Limits::kNodes, "nodes");
  references_.at_most(p.symbols.size() + p.buffers.size(), Limits::kDeclarations, "declarations");
  references_.at_most(p.variables.size(), Limits::kNodes, "variables");
  return references_.empty();
}

void Structure::declarations() {
  for (std::size_t i = 0; i < program_.symbols.size(); ++i) {
    const Symbol& symbol = program_.symbols[i];
    const User user{"symbol", i};
    references_.known(user, symbol.kind <= SymbolKind::tunable, "kind");
    references_.known(user, symbol.type <= Scalar::f32, "type");
    references_.stray(user, symbol.kind == SymbolKind::scalar && symbol.default_bits != 0,
                      "default_bits");
    references_.stray(user, symbol.kind != SymbolKind::tunable && !symbol.values.empty(), "values");
    references_.at_most(symbol.values.size(), Limits::kValues, "values of one tunable");
  }
  for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
    const Buffer& buffer = program_.buffers[i];
    const User user{"buffer", i};
    references_.known(user, buffer.element <= Scalar::f32, "element type");
    references_.known(user, buffer.access <= Access::private_, "access");
    references_.use(user, exprs_, buffer.length);
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    references_.known({"variable", i}, program_.variables[i].type.scalar <= Scalar::f32, "type");
  }
}

void Structure::launch() {
  for (std::size_t i = 0; i < 3; ++i) {
    references_.use_if_any({"workgroup axis", i}, exprs_, program_.workgroup[i]);
    references_.use_if_any({"grid axis", i}, exprs_, program_.grid[i]);
  }
  for (std::size_t i = 0; i < program_.body.size(); ++i) {
    references_.use({"body entry", i}, stmts_, program_.body[i]);
  }
}

void Structure::expr(std::size_t id) {
  const Expr& e = program_.exprs[id];
  const User user{"expression", id};
  references_.known(user, is_known(e.op), "op");
  references_.known(user, e.type.scalar <= Scalar::f32, "type");
  if (!is_known(e.op)) return;
  references_.known(user, e.op != Op::vector || e.type.width == 2 || e.type.width == 4, "width");
  references_.stray(user, e.op != Op::constant && e.bits != 0, "bits");
  references_.stray(user, !uses_index(e.op) && e.index != 0, "index");
  index(user, e);
  const std::size_t count = operands(e).size();
  for (std::size_t n = 0; n < e.args.size(); ++n) {
    if (n < count) {
      references_.use(user, exprs_, e.args[n], id);
    } else {
      references_.stray(user, e.args[n] != kNone, "args");
    }
  }
}

void Structure::index(User user, const Expr& expr) {
  switch (expr.op) {
    case Op::symbol:
      return references_.in_range(user, "symbol", expr.index, program_.symbols.size());
    case Op::variable:
      return references_.in_range(user, "variable", expr.index, program_.variables.size());
    case Op::id:
      return references_.in_range(user, "id", expr.index, std::size_t{kIdKinds} * 3);
    case Op::length:
    case Op::load:
      return references_.in_range(user, "buffer", expr.index, program_.buffers.size());
    default:
      return;
  }
}

void Structure::stmt(std::size_t id) {
  const Stmt& s = program_.stmts[id];
  const User user{"statement", id};
  references_.known(user, s.kind <= StmtKind::region, "kind");
  references_.known(user, s.atomic <= AtomicOp::compare_exchange, "atomic operation");
  if (s.kind > StmtKind::region) return;
  const Shape shape = shape_of(s);
  for (std::size_t n = 0; n < shape.args; ++n) references_.use(user, exprs_, s.args[n]);
  if (s.kind == StmtKind::for_) references_.use_if_any(user, exprs_, s.unroll);
  if (shape.buffer) references_.in_range(user, "buffer", s.buffer, program_.buffers.size());
  fields(user, s, shape);
  variable(user, s);
  for (const StmtId child : s.body) references_.use(user, stmts_, child, id);
  for (const StmtId child : s.otherwise) references_.use(user, stmts_, child, id);
}

void Structure::fields(User user, const Stmt& stmt, const Shape& shape) {
  for (std::size_t n = shape.args; n < stmt.args.size(); ++n) {
    references_.stray(user, stmt.args[n] != kNone, "args");
  }
  references_.stray(user, stmt.kind != StmtKind::for_ && stmt.unroll != kNone, "unroll");
  references_.stray(user, !shape.buffer && stmt.buffer != kNone, "buffer");
  references_.stray(user, stmt.kind != StmtKind::atomic && stmt.atomic != AtomicOp::add, "atomic");
  references_.stray(user, stmt.kind != StmtKind::region && !stmt.name.empty(), "name");
  references_.stray(user, !shape.body && !stmt.body.empty(), "body");
  references_.stray(user, !shape.otherwise && !stmt.otherwise.empty(), "otherwise");
}

void Structure::variable(User user, const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::let:
    case StmtKind::for_:
      return references_.use(user, variables_, stmt.variable);
    case StmtKind::atomic:
      return references_.use_if_any(user, variables_, stmt.variable);
    case StmtKind::assign:
      return references_.in_range(user, "variable", stmt.variable, program_.variables.size());
    default:
      return references_.stray(user, stmt.variable != kNone, "variable");
  }
}

void Structure::expr_depth() {
  std::vector<std::uint32_t> levels(program_.exprs.size(), 1);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (const ExprId arg : operands(program_.exprs[i])) {
      levels[i] = std::max(levels[i], levels[arg] + 1);
    }
    if (levels[i] != Limits::kExprDepth + 1) continue;
    references_.report("V006", "expression {} has {} levels; the limit is {}, so use variables", i,
                       levels[i], Limits::kExprDepth);
  }
}

void Structure::stmt_depth() {
  std::vector<std::uint32_t> levels(program_.stmts.size(), 1);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (const Block* block : {&program_.stmts[i].body, &program_.stmts[i].otherwise}) {
      for (const StmtId child : *block) levels[i] = std::max(levels[i], levels[child] + 1);
    }
    if (levels[i] != Limits::kStmtDepth + 1) continue;
    references_.report("V005", "statement {} nests {} levels; the limit is {}, so flatten it", i,
                       levels[i], Limits::kStmtDepth);
  }
}

std::vector<Error> Structure::check(std::span<const Root> extra) {
  if (!within_limits()) return references_.take();
  exprs_.counts.resize(program_.exprs.size());
  stmts_.counts.resize(program_.stmts.size());
  variables_.counts.resize(program_.variables.size());
  declarations();
  for (std::size_t i = 0; i < program_.exprs.size(); ++i) expr(i);
  for (std::size_t i = 0; i < program_.stmts.size(); ++i) stmt(i);
  launch();
  for (const Root& root : extra) references_.use({"step", root.place.index}, exprs_, root.expr);
  if (!references_.empty())
    return references_.take();  // its target is unused then: one message is enough
  references_.once(exprs_, "used");
  references_.once(stmts_, "used");
  references_.once(variables_, "introduced");
  if (!references_.empty()) return references_.take();
  stmt_depth();
  expr_depth();
  return references_.take();
}

}  // namespace

std::vector<Error> check_structure(const Program& program, std::string_view kind,
                                   std::span<const Root> extra) {
  return Structure(program, kind).check(extra);
}

}  // namespace vyre::ir
