#include "backend/reference/lower_expr.h"

#include <array>

#include "backend/reference/handlers_memory.h"
#include "backend/reference/handlers_ops.h"
#include "base/check.h"
#include "ir/ops.h"

namespace vyre::backend::reference {

using ir::Expr;
using ir::ExprId;
using ir::Op;
using ir::Scalar;

Register ExprLowering::leaf(const Expr& e) {
  switch (e.op) {
    case Op::constant:
      return lowering_.preset(lowering_.code.constants, e.type.scalar, e.bits);
    case Op::symbol:
      if (program_.symbols[e.index].kind == ir::SymbolKind::tunable) {
        return lowering_.preset(lowering_.code.constants, e.type.scalar,
                                lowering_.specialisation.symbols[e.index]);
      }
      return lowering_.preset(lowering_.code.symbols, e.type.scalar, e.index);
    case Op::length:
      return lowering_.preset(lowering_.code.lengths, Scalar::u32, e.index);
    case Op::id:
      return lowering_.preset(lowering_.code.ids, Scalar::u32, e.index);
    default:
      return lowering_.variables[e.index];
  }
}

Register ExprLowering::expr(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (ir::operand_count(e) == 0) return leaf(e);
  if (e.op == Op::extract) {
    const Register source = expr(e.args[0]);
    Register dst = registers_.allocate(e.type, true);
    const Register part = registers_.element(source, e.index);
    lowering_.emit({.run = copy_handler(e.type.scalar), .dst = dst.offset, .a = part.offset});
    registers_.release_if_temporary(source);
    return dst;
  }
  const Register dst = registers_.allocate(e.type, true);
  expr_into(id, dst);
  return dst;
}

void ExprLowering::expr_into(ExprId id, const Register& dst) {
  const Expr& e = program_.exprs[id];
  if (e.op == Op::load) return load(e, dst);
  if (ir::in_table(e.op) || e.op == Op::select || e.op == Op::cast) return operation(e, dst);
  if (e.op == Op::vector) {
    for (std::uint32_t k = 0; k < e.type.width; ++k)
      expr_into(e.args[k], registers_.element(dst, k));
    return;
  }
  // A bitcast copies the bits: registers of one size have the same form.
  const Register source = e.op == Op::bitcast ? expr(e.args[0]) : expr(id);
  for (std::uint32_t k = 0; k < e.type.width; ++k) {
    lowering_.emit({.run = copy_handler(e.type.scalar),
                    .dst = registers_.element(dst, k).offset,
                    .a = registers_.element(source, k).offset});
  }
  registers_.release_if_temporary(source);
}

// A vector takes one instruction per element. The condition of a select is a scalar.
void ExprLowering::operation(const Expr& e, const Register& dst) {
  std::array<Register, 3> in;
  const std::uint32_t count = ir::operand_count(e);
  VYRE_CHECK(count <= in.size());
  for (std::uint32_t k = 0; k < count; ++k) in[k] = expr(e.args[k]);
  for (std::uint32_t k = 0; k < e.type.width; ++k) {
    Instr i{.dst = registers_.element(dst, k).offset};
    if (e.op == Op::select) {
      i.run = select_handler(e.type.scalar);
      i.a = registers_.element(in[1], k).offset;
      i.b = registers_.element(in[2], k).offset;
      i.c = in[0].offset;
    } else {
      i.run = e.op == Op::cast ? cast_handler(in[0].type.scalar, e.type.scalar)
                               : table_handler(e.op, in[0].type.scalar);
      i.a = registers_.element(in[0], k).offset;
      i.b = count > 1 ? registers_.element(in[1], k).offset : 0;
      i.c = count > 2 ? registers_.element(in[2], k).offset : 0;
    }
    lowering_.emit(i);
  }
  for (std::uint32_t k = 0; k < count; ++k) registers_.release_if_temporary(in[k]);
}

void ExprLowering::load(const Expr& e, const Register& dst) {
  const ir::Buffer& buffer = program_.buffers[e.index];
  const Register index = expr(e.args[0]);
  lowering_.watch(e.index, index, e.type.width, Touch::read);
  lowering_.emit({.run = load_handler(buffer.element, index.type.scalar, place_of(buffer.access)),
                  .dst = dst.offset,
                  .a = index.offset,
                  .c = e.type.width,
                  .buffer = e.index});
  registers_.release_if_temporary(index);
}

}  // namespace vyre::backend::reference
