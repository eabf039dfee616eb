// ExprPrinter: expressions in the text form, whole or shortened for messages.

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "vyre/program.h"

namespace vyre::ir {

// The tables that ids inside an expression refer to: those of a program, or of a sequence.
struct Tables {
  std::span<const Expr> exprs;
  std::span<const Symbol> symbols;
  std::span<const Buffer> buffers;
  std::span<const Variable> variables;
};

Tables tables_of(const Program& program);
Tables tables_of(const SequenceDef& sequence);

// Where a printer stops. Whole texts are bounded by their tree, messages by these numbers.
struct Bounds {
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  std::uint32_t depth = Limits::kExprDepth;
};

// Appends expressions to `out`. Works on any program, also on one whose nodes are no tree: an id
// that refers to nothing is printed as "?", an operand beyond the bounds as "...".
class ExprPrinter {
 public:
  ExprPrinter(Tables tables, std::string& out, Bounds bounds = {})
      : tables_(tables), out_(out), bounds_(bounds) {}

  // In parentheses if it binds less tightly than `precedence`.
  void print(ExprId id, int precedence = 1);
  void buffer_name(std::uint32_t index);
  void variable_name(std::uint32_t index);

 private:
  void leaf(const Expr& expr);
  void node(const Expr& expr);
  void call(std::string_view name, std::span<const ExprId> args);

  Tables tables_;
  std::string& out_;
  Bounds bounds_;
  std::uint32_t depth_ = 0;
};

// The name as it is, or quoted if it is no name: such a program is not valid.
std::string print_name(const std::string& name);

}  // namespace vyre::ir
