#include "backend/reference/lowering.h"
#include "base/check.h"
#include "ir/ops.h"

namespace vyre::backend::reference {

using ir::Expr;
using ir::ExprId;
using ir::Op;
using ir::Scalar;

Register Lowering::leaf(const Expr& e) {
  switch (e.op) {
    case Op::constant:
      return preset(code_.constants, e.type.scalar, e.bits);
    case Op::symbol:
      if (program_.symbols[e.index].kind == ir::SymbolKind::tunable) {
        return preset(code_.constants, e.type.scalar, specialisation_.symbols[e.index]);
      }
      return preset(code_.symbols, e.type.scalar, e.index);
    case Op::length:
      return preset(code_.lengths, Scalar::u32, e.index);
    case Op::id:
      return preset(code_.ids, Scalar::u32, e.index);
    default:
      return variables_[e.index];
  }
}

// Where the value already is, or a temporary that now holds it.
Register Lowering::expr(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (ir::operand_count(e) == 0) return leaf(e);
  if (e.op == Op::extract) {
    const Register source = expr(e.args[0]);
    Register dst = allocate(e.type, true);
    const Register part = element(source, e.index);
    emit({.run = copy_handler(e.type.scalar), .dst = dst.offset, .a = part.offset});
    release_if_temporary(source);
    return dst;
  }
  const Register dst = allocate(e.type, true);
  expr_into(id, dst);
  return dst;
}

void Lowering::expr_into(ExprId id, const Register& dst) {
  const Expr& e = program_.exprs[id];
  if (e.op == Op::load) return load(e, dst);
  if (ir::in_table(e.op) || e.op == Op::select || e.op == Op::cast) return operation(e, dst);
  if (e.op == Op::vector) {
    for (std::uint32_t k = 0; k < e.type.width; ++k) expr_into(e.args[k], element(dst, k));
    return;
  }
  // A bitcast moves the bits as they are: registers of one size look alike.
  const Register source = e.op == Op::bitcast ? expr(e.args[0]) : expr(id);
  for (std::uint32_t k = 0; k < e.type.width; ++k) {
    emit({.run = copy_handler(e.type.scalar),
          .dst = element(dst, k).offset,
          .a = element(source, k).offset});
  }
  release_if_temporary(source);
}

// Vectors go element by element: one instruction each. The condition of a select is a scalar.
void Lowering::operation(const Expr& e, const Register& dst) {
  std::array<Register, 3> in;
  const std::uint32_t count = ir::operand_count(e);
  VYRE_CHECK(count <= in.size());
  for (std::uint32_t k = 0; k < count; ++k) in[k] = expr(e.args[k]);
  for (std::uint32_t k = 0; k < e.type.width; ++k) {
    Instr i{.dst = element(dst, k).offset};
    if (e.op == Op::select) {
      i.run = select_handler(e.type.scalar);
      i.a = element(in[1], k).offset;
      i.b = element(in[2], k).offset;
      i.c = in[0].offset;
    } else {
      i.run = e.op == Op::cast ? cast_handler(in[0].type.scalar, e.type.scalar)
                               : table_handler(e.op, in[0].type.scalar);
      i.a = element(in[0], k).offset;
      i.b = count > 1 ? element(in[1], k).offset : 0;
      i.c = count > 2 ? element(in[2], k).offset : 0;
    }
    emit(i);
  }
  for (std::uint32_t k = 0; k < count; ++k) release_if_temporary(in[k]);
}

void Lowering::load(const Expr& e, const Register& dst) {
  const ir::Buffer& buffer = program_.buffers[e.index];
  const Register index = expr(e.args[0]);
  watch(e.index, index, e.type.width, Touch::read);
  emit({.run = load_handler(buffer.element, index.type.scalar, place_of(buffer.access)),
        .dst = dst.offset,
        .a = index.offset,
        .c = e.type.width,
        .buffer = e.index});
  release_if_temporary(index);
}

}  // namespace vyre::backend::reference
