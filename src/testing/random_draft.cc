#include "testing/random_draft.h"

#include "ir/ops.h"

namespace vyre::testing {

using ir::ExprId;
using ir::Op;
using ir::Type;

ExprId RandomDraft::add(Op op, Type type, std::uint32_t index, std::array<ExprId, 4> args) {
  program.exprs.push_back({op, type, index, 0, args});
  return static_cast<ExprId>(program.exprs.size() - 1);
}

ExprId RandomDraft::constant(Type type, std::uint64_t bits) {
  const ExprId made = add(Op::constant, type);
  program.exprs[made].bits = bits;
  return made;
}

ExprId RandomDraft::u32(std::uint32_t value) { return constant({ir::Scalar::u32, 1}, value); }

ExprId RandomDraft::binary(Op op, ExprId a, ExprId b) {
  return add(op, {ir::Scalar::u32, 1}, 0, {a, b, ir::kNone, ir::kNone});
}

ExprId RandomDraft::symbol(std::uint32_t index) {
  return add(Op::symbol, {program.symbols[index].type, 1}, index);
}

ExprId RandomDraft::variable(std::uint32_t index) {
  return add(Op::variable, program.variables[index].type, index);
}

ExprId RandomDraft::id(ir::IdKind kind, std::uint32_t axis) {
  return add(Op::id, {ir::Scalar::u32, 1}, ir::id_index(kind, axis));
}

std::uint32_t RandomDraft::new_variable(const std::string& prefix, Type type, bool is_mutable) {
  const auto index = static_cast<std::uint32_t>(program.variables.size());
  program.variables.push_back({prefix + std::to_string(index), type, is_mutable});
  return index;
}

}  // namespace vyre::testing
