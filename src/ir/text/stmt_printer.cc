#include "ir/text/stmt_printer.h"

#include <fmt/format.h>

#include "ir/ops.h"
#include "ir/structure.h"
#include "ir/text/spelling.h"

namespace vyre::ir {
namespace {

bool is_one(const Expr& expr, Type type) {
  return expr.op == Op::constant && expr.type == type && expr.bits == 1;
}

}  // namespace

// `let i: u32`, or `var` if it can be assigned to.
void StmtPrinter::introduce(std::uint32_t variable) {
  if (variable >= program_.variables.size()) {
    out_ += "let ?";
    return;
  }
  out_ += program_.variables[variable].is_mutable ? "var " : "let ";
  exprs_.variable_name(variable);
  out_ += ": " + to_string(program_.variables[variable].type);
}

void StmtPrinter::store_target(const Stmt& stmt) {
  exprs_.buffer_name(stmt.buffer);
  const ExprId value = stmt.args[1];
  if (value < program_.exprs.size() && is_vector(program_.exprs[value].type)) {
    out_ += fmt::format(".x{}", program_.exprs[value].type.width);
  }
  out_ += '[';
  exprs_.print(stmt.args[0]);
  out_ += ']';
}

void StmtPrinter::for_head(const Stmt& stmt) {
  const bool known = stmt.variable < program_.variables.size();
  const Type type = known ? program_.variables[stmt.variable].type : Type{};
  out_ += "for ";
  exprs_.variable_name(stmt.variable);
  out_ += ": " + to_string(type) + " in ";
  exprs_.print(stmt.args[0]);
  out_ += " .. ";
  exprs_.print(stmt.args[1]);
  const ExprId step = stmt.args[2];
  if (step >= program_.exprs.size() || !is_one(program_.exprs[step], type)) {
    out_ += " step ";
    exprs_.print(step);
  }
  if (stmt.unroll != kNone) {
    out_ += " unroll ";
    exprs_.print(stmt.unroll);
  }
}

void StmtPrinter::atomic(const Stmt& stmt) {
  if (stmt.variable != kNone) {
    introduce(stmt.variable);
    out_ += " = ";
  }
  out_ += fmt::format("atomic_{}(", name_of(stmt.atomic));
  exprs_.buffer_name(stmt.buffer);
  out_ += ", ";
  exprs_.print(stmt.args[0]);
  if (stmt.atomic == AtomicOp::compare_exchange) {
    out_ += ", ";
    exprs_.print(stmt.args[2]);
  }
  out_ += ", ";
  exprs_.print(stmt.args[1]);
  out_ += ')';
}

void StmtPrinter::head(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::let:
      introduce(stmt.variable);
      out_ += " = ";
      return exprs_.print(stmt.args[0]);
    case StmtKind::assign:
      exprs_.variable_name(stmt.variable);
      out_ += " = ";
      return exprs_.print(stmt.args[0]);
    case StmtKind::store:
      store_target(stmt);
      out_ += " = ";
      return exprs_.print(stmt.args[1]);
    case StmtKind::if_:
      out_ += "if ";
      return exprs_.print(stmt.args[0]);
    case StmtKind::for_:
      return for_head(stmt);
    case StmtKind::while_:
      out_ += "while ";
      exprs_.print(stmt.args[0]);
      out_ += " limit ";
      return exprs_.print(stmt.args[1]);
    case StmtKind::return_:
      out_ += "return";
      return;
    case StmtKind::barrier:
      out_ += "barrier";
      return;
    case StmtKind::atomic:
      return atomic(stmt);
    case StmtKind::region:
      out_ += "region " + print_string(stmt.name);
      return;
  }
  out_ += '?';
}

// The blocks behind a head. An `else` that holds just another `if` continues on the same line.
void StmtPrinter::blocks(const Stmt& first, std::size_t indent) {
  for (const Stmt* stmt = &first;;) {
    out_ += " {\n";
    block(stmt->body, indent + 2);
    out_.append(indent, ' ') += '}';
    if (stmt->kind != StmtKind::if_ || stmt->otherwise.empty()) return;
    out_ += " else";
    const Stmt& next = program_.stmts[stmt->otherwise[0]];
    if (stmt->otherwise.size() > 1 || next.kind != StmtKind::if_) {
      out_ += " {\n";
      block(stmt->otherwise, indent + 2);
      out_.append(indent, ' ') += '}';
      return;
    }
    out_ += ' ';
    head(next);
    stmt = &next;
  }
}

void StmtPrinter::block(const Block& block, std::size_t indent) {
  for (const StmtId id : block) {
    const Stmt& stmt = program_.stmts[id];
    out_.append(indent, ' ');
    head(stmt);
    if (has_block(stmt.kind)) blocks(stmt, indent);
    out_ += '\n';
  }
}

}  // namespace vyre::ir
