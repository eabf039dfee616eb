#include "ir/rewrite/sequence_of.h"

#include <utility>

#include "ir/ops.h"
#include "ir/structure.h"

namespace vyre::ir {
namespace {

// Marks the expressions that the lengths of bound buffers consist of. Children have lower ids, so
// one pass from the top finds them all.
std::vector<bool> used_by_lengths(const Program& program) {
  std::vector<bool> used(program.exprs.size(), false);
  for (const Buffer& buffer : program.buffers) {
    if (is_bound(buffer.access) && buffer.length < used.size()) used[buffer.length] = true;
  }
  for (std::size_t i = used.size(); i-- > 0;) {
    if (!used[i]) continue;
    for (const ExprId arg : operands(program.exprs[i])) {
      if (arg < i) used[arg] = true;
    }
  }
  return used;
}

// Copies the marked expressions; returns the new id of each.
std::vector<ExprId> copy_exprs(const Program& program, SequenceDef& sequence) {
  const std::vector<bool> used = used_by_lengths(program);
  std::vector<ExprId> moved(program.exprs.size(), kNone);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    Expr expr = program.exprs[i];
    for (ExprId& arg : expr.args) arg = arg < i ? moved[arg] : kNone;
    moved[i] = static_cast<ExprId>(sequence.exprs.size());
    sequence.exprs.push_back(expr);
  }
  return moved;
}

}  // namespace

SequenceDef sequence_of(Program program) {
  SequenceDef sequence;
  sequence.name = program.name;
  sequence.symbols = program.symbols;
  const std::vector<ExprId> moved = copy_exprs(program, sequence);
  Step step;
  for (const Buffer& buffer : program.buffers) {
    if (!is_bound(buffer.access)) continue;
    step.buffers.push_back(static_cast<std::uint32_t>(sequence.buffers.size()));
    sequence.buffers.push_back(buffer);
    ExprId& length = sequence.buffers.back().length;
    length = length < moved.size() ? moved[length] : kNone;
  }
  for (std::uint32_t i = 0; i < program.symbols.size(); ++i) {
    if (program.symbols[i].kind == SymbolKind::tunable) continue;
    step.symbols.push_back(static_cast<ExprId>(sequence.exprs.size()));
    Expr value;
    value.op = Op::symbol;
    value.type = {program.symbols[i].type, 1};
    value.index = i;
    sequence.exprs.push_back(value);
  }
  sequence.steps.push_back(std::move(step));
  sequence.programs.push_back(std::move(program));
  return sequence;
}

}  // namespace vyre::ir
