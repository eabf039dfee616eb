#include "ir/text/expr_printer.h"

#include <fmt/format.h>

#include "ir/names.h"
#include "ir/ops.h"
#include "ir/structure.h"
#include "ir/text/spelling.h"
#include "ir/text/syntax.h"

namespace vyre::ir {
namespace {

int precedence_of(const Expr& expr) {
  if (const Infix* infix = find_infix(expr.op)) return infix->precedence;
  return expr.op == Op::neg || expr.op == Op::not_ ? kUnary : kPostfix;
}

bool is_negation(const Expr& expr) { return expr.op == Op::neg || expr.op == Op::not_; }

template <class Named>
std::string name_at(std::span<const Named> table, std::uint32_t index) {
  return index < table.size() ? print_name(table[index].name) : "?";
}

}  // namespace

std::string print_name(const std::string& name) {
  return is_identifier(name) && !is_reserved(name) ? name : print_string(name);
}

Tables tables_of(const Program& program) {
  return {program.exprs, program.symbols, program.buffers, program.variables};
}

Tables tables_of(const SequenceDef& sequence) {
  return {sequence.exprs, sequence.symbols, sequence.buffers, {}};
}

void ExprPrinter::buffer_name(std::uint32_t index) { out_ += name_at(tables_.buffers, index); }
void ExprPrinter::variable_name(std::uint32_t index) { out_ += name_at(tables_.variables, index); }

void ExprPrinter::print(ExprId id, int precedence) {
  if (id >= tables_.exprs.size()) {
    out_ += '?';
    return;
  }
  if (depth_ >= bounds_.depth || out_.size() >= bounds_.bytes) {
    out_ += "...";
    return;
  }
  const Expr& expr = tables_.exprs[id];
  const bool parenthesised = precedence_of(expr) < precedence;
  ++depth_;
  if (parenthesised) out_ += '(';
  node(expr);
  if (parenthesised) out_ += ')';
  --depth_;
}

void ExprPrinter::leaf(const Expr& expr) {
  switch (expr.op) {
    case Op::constant:
      out_ += is_vector(expr.type) ? to_string(expr.type) + "(?)"
                                   : print_literal(expr.type.scalar, expr.bits);
      break;
    case Op::symbol:
      out_ += name_at(tables_.symbols, expr.index);
      break;
    case Op::variable:
      variable_name(expr.index);
      break;
    case Op::id:
      out_ += fmt::format("{}({})", name_of(id_kind(expr.index)), id_axis(expr.index));
      break;
    case Op::length:
      out_ += "length(";
      buffer_name(expr.index);
      out_ += ')';
      break;
    default:
      out_ += '?';
  }
}

void ExprPrinter::call(std::string_view name, std::span<const ExprId> args) {
  out_ += name;
  for (std::size_t i = 0; i < args.size(); ++i) {
    out_ += i == 0 ? "(" : ", ";
    print(args[i]);
  }
  out_ += ')';
}

void ExprPrinter::node(const Expr& expr) {
  const auto args = operands(expr);
  if (!is_known(expr.op)) {
    out_ += '?';
  } else if (args.empty()) {
    leaf(expr);
  } else if (const Infix* infix = find_infix(expr.op)) {
    print(args[0], infix->precedence);
    out_ += fmt::format(" {} ", infix->token);
    print(args[1], infix->precedence + 1);
  } else if (is_negation(expr)) {
    // A minus before a number is part of the number, so a negated constant needs parentheses.
    const bool constant =
        args[0] < tables_.exprs.size() && tables_.exprs[args[0]].op == Op::constant;
    const char* complement = expr.type.scalar == Scalar::boolean ? "!" : "~";
    out_ += expr.op == Op::neg ? "-" : complement;
    print(args[0], expr.op == Op::neg && constant ? kPostfix + 1 : kUnary);
  } else if (expr.op == Op::load) {
    buffer_name(expr.index);
    if (is_vector(expr.type)) out_ += fmt::format(".x{}", expr.type.width);
    out_ += '[';
    print(args[0]);
    out_ += ']';
  } else if (expr.op == Op::extract) {
    print(args[0], kPostfix);
    out_ += fmt::format(".{}", expr.index);
  } else if (expr.op == Op::bitcast) {
    call("bits_" + to_string(expr.type), args);
  } else if (expr.op == Op::cast || expr.op == Op::vector) {
    call(to_string(expr.type), args);
  } else {
    call(expr.op == Op::select ? "select" : info(expr.op).name, args);
  }
}

}  // namespace vyre::ir
