#include "ir/rewrite/equal.h"

#include <algorithm>
#include <utility>

#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::ir {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Maps the variables of one program to those of the other, in the order in which they are met.
class Renaming {
 public:
  Renaming(const Program& a, const Program& b)
      : a_(a), b_(b), there_(a.variables.size(), kNone), back_(b.variables.size(), kNone) {}

  bool match(std::uint32_t a, std::uint32_t b) {
    if (a >= there_.size() || b >= back_.size()) return a == b;
    if (there_[a] == kNone && back_[b] == kNone) {
      there_[a] = b;
      back_[b] = a;
      return a_.variables[a] == b_.variables[b];
    }
    return there_[a] == b;
  }

 private:
  const Program& a_;
  const Program& b_;
  std::vector<std::uint32_t> there_;
  std::vector<std::uint32_t> back_;
};

bool compares_index(Op op) {
  return op == Op::symbol || op == Op::id || op == Op::length || op == Op::load ||
         op == Op::extract;
}

bool same_node(const Expr& a, const Expr& b, Renaming* variables) {
  if (a.op != b.op || a.type != b.type) return false;
  if (a.op == Op::constant) return a.bits == b.bits;
  if (a.op == Op::variable)
    return variables == nullptr ? a.index == b.index : variables->match(a.index, b.index);
  return !compares_index(a.op) || a.index == b.index;
}

// Both must be trees.
bool same_expr(std::span<const Expr> a, std::span<const Expr> b, Pair roots, Renaming* variables) {
  std::vector<Pair> todo{roots};
  while (!todo.empty()) {
    const auto [i, j] = todo.back();
    todo.pop_back();
    if (i == kNone || j == kNone) {
      if (i != j) return false;
      continue;
    }
    if (!same_node(a[i], b[j], variables)) return false;
    const auto left = operands(a[i]);
    const auto right = operands(b[j]);
    if (left.size() != right.size()) return false;
    for (std::size_t k = 0; k < left.size(); ++k) todo.emplace_back(left[k], right[k]);
  }
  return true;
}

bool same_symbol(const Symbol& a, const Symbol& b) {
  if (a.name != b.name || a.kind != b.kind || a.type != b.type) return false;
  if (a.kind == SymbolKind::scalar) return true;
  return a.default_bits == b.default_bits && a.values == b.values;
}

bool same_buffer(const Buffer& a, const Buffer& b) {
  return a.name == b.name && a.element == b.element && a.access == b.access &&
         a.opaque_bytes == b.opaque_bytes;
}

template <class Def>
bool same_declarations(const Def& a, const Def& b) {
  return std::ranges::equal(a.symbols, b.symbols, same_symbol) &&
         std::ranges::equal(a.buffers, b.buffers, [&](const Buffer& x, const Buffer& y) {
           return same_buffer(x, y) && same_expr(a.exprs, b.exprs, {x.length, y.length}, nullptr);
         });
}

class Comparison {
 public:
  Comparison(const Program& a, const Program& b) : a_(a), b_(b), variables_(a, b) {}

  bool same_body() {
    if (!push(a_.body, b_.body)) return false;
    while (!todo_.empty()) {
      const auto [i, j] = todo_.back();
      todo_.pop_back();
      if (!same_stmt(a_.stmts[i], b_.stmts[j])) return false;
    }
    return true;
  }

 private:
  // In reverse, so that the stack gives the statements in the order of the text, declarations
  // before uses.
  bool push(const Block& a, const Block& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = a.size(); k-- > 0;) todo_.emplace_back(a[k], b[k]);
    return true;
  }

  bool same_head(const Stmt& a, const Stmt& b) {
    if (a.kind != b.kind) return false;
    switch (a.kind) {
      case StmtKind::let:
      case StmtKind::assign:
      case StmtKind::for_:
        return variables_.match(a.variable, b.variable);
      case StmtKind::store:
        return a.buffer == b.buffer;
      case StmtKind::atomic:
        return a.atomic == b.atomic && a.buffer == b.buffer &&
               variables_.match(a.variable, b.variable);
      case StmtKind::region:
        return a.name == b.name;
      default:
        return true;
    }
  }

  bool same(ExprId a, ExprId b) { return same_expr(a_.exprs, b_.exprs, {a, b}, &variables_); }

  bool same_stmt(const Stmt& a, const Stmt& b) {
    if (!same_head(a, b)) return false;
    const auto left = operands(a);
    const auto right = operands(b);
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (!same(left[k], right[k])) return false;
    }
    if (a.kind == StmtKind::for_ && !same(a.unroll, b.unroll)) return false;
    if (!has_block(a.kind)) return true;
    if (a.kind == StmtKind::if_ && !push(a.otherwise, b.otherwise)) return false;
    return push(a.body, b.body);
  }

  const Program& a_;
  const Program& b_;
  Renaming variables_;
  std::vector<Pair> todo_;
};

bool same_arrays(const Program& a, const Program& b) {
  return a.symbols == b.symbols && a.buffers == b.buffers && a.variables == b.variables &&
         a.exprs == b.exprs && a.stmts == b.stmts && a.workgroup == b.workgroup &&
         a.grid == b.grid && a.body == b.body && a.source == b.source;
}

bool same_axes(const Program& a, const Program& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!same_expr(a.exprs, b.exprs, {a.workgroup[i], b.workgroup[i]}, nullptr)) return false;
    if (!same_expr(a.exprs, b.exprs, {a.grid[i], b.grid[i]}, nullptr)) return false;
  }
  return true;
}

// A missing value means the same as kNone: the shape is found from the buffers.
bool same_step(const SequenceDef& a, const SequenceDef& b, const Step& x, const Step& y) {
  if (x.program != y.program || x.buffers != y.buffers) return false;
  for (std::size_t i = 0; i < std::max(x.symbols.size(), y.symbols.size()); ++i) {
    const ExprId left = i < x.symbols.size() ? x.symbols[i] : kNone;
    const ExprId right = i < y.symbols.size() ? y.symbols[i] : kNone;
    if (!same_expr(a.exprs, b.exprs, {left, right}, nullptr)) return false;
  }
  return same_expr(a.exprs, b.exprs, {x.when, y.when}, nullptr);
}

}  // namespace

bool equal(const Program& a, const Program& b) {
  if (a.name != b.name) return false;
  if (tree_problem(a) || tree_problem(b)) return same_arrays(a, b);
  return a.source == b.source && same_declarations(a, b) && same_axes(a, b) &&
         Comparison(a, b).same_body();
}

bool equal(const SequenceDef& a, const SequenceDef& b) {
  if (a.name != b.name || a.repeat != b.repeat || a.programs != b.programs) return false;
  if (tree_problem(a) || tree_problem(b)) {
    return a.symbols == b.symbols && a.buffers == b.buffers && a.exprs == b.exprs &&
           a.steps == b.steps;
  }
  return same_declarations(a, b) &&
         std::ranges::equal(a.steps, b.steps,
                            [&](const Step& x, const Step& y) { return same_step(a, b, x, y); });
}

}  // namespace vyre::ir
