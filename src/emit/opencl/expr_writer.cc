#include "emit/opencl/expr_writer.h"

#include <fmt/format.h>

#include "emit/c_like/literal.h"
#include "emit/opencl/language.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::emit::opencl {

using ir::Expr;
using ir::ExprId;
using ir::Op;
using ir::Scalar;
using ir::Type;

namespace {

// Operations with an operator or a built-in of their own for some types; the others are spelled as
// ops.def says. `plain`: see Proofs.
std::string_view pattern_of(Op op, Type type, bool plain) {
  const bool real = ir::is_float(type);
  switch (op) {
    case Op::div:
      return real || plain ? "($0 / $1)" : ir::info(op).c_spelling;
    case Op::mod:
      return plain ? "($0 % $1)" : ir::info(op).c_spelling;
    case Op::min:
      return real ? ir::info(op).c_spelling : "min($0, $1)";
    case Op::max:
      return real ? ir::info(op).c_spelling : "max($0, $1)";
    case Op::abs:
      return real ? "fabs($0)" : "abs($0)";
    case Op::not_:
      return type.scalar == Scalar::boolean ? "(!$0)" : "(~$0)";
    default:
      return ir::info(op).c_spelling;
  }
}

}  // namespace

Text ExprWriter::text(ExprId id) {
  const Expr& e = program_.exprs[id];
  switch (e.op) {
    case Op::load:
      return load(id);
    case Op::vector: {
      std::string parts = plain(e.args[0]);
      for (std::uint32_t k = 1; k < e.type.width; ++k) parts += ", " + plain(e.args[k]);
      return {fmt::format("({})({})", type_name(e.type), parts), Binding::unary};
    }
    case Op::extract:
      return {operand(text(e.args[0]), Binding::primary) + std::string(component(e.index))};
    case Op::select:
      return {fmt::format("{} ? {} : {}", operand(text(e.args[0]), Binding::equality),
                          operand(text(e.args[1]), Binding::bits),
                          operand(text(e.args[2]), Binding::bits)),
              Binding::choice};
    case Op::cast:
      return cast(e);
    case Op::bitcast:
      return {fmt::format("as_{}({})", type_name(e.type), plain(e.args[0]))};
    default:
      return ir::in_table(e.op) ? table_op(id) : leaf(e);
  }
}

Text ExprWriter::leaf(const Expr& e) {
  switch (e.op) {
    case Op::constant:
      return literal(e.type.scalar, e.bits);
    case Op::symbol: {
      const ir::Symbol& symbol = program_.symbols[e.index];
      if (symbol.kind == ir::SymbolKind::tunable) kernel_.tunables_used.insert(e.index);
      return {kernel_.names.of(symbol.name)};
    }
    case Op::length:
      return {length(e.index)};
    case Op::id:
      if (ir::id_kind(e.index) == ir::IdKind::local_size) {
        return literal(Scalar::u32, kernel_.workgroup[ir::id_axis(e.index)]);
      }
      return id_text(e.index);
    default:
      return {kernel_.names.of(program_.variables[e.index].name)};
  }
}

std::string ExprWriter::length(std::uint32_t buffer) {
  const ir::Buffer& b = program_.buffers[buffer];
  if (!ir::is_bound(b.access)) {
    return literal(Scalar::u32, *ir::fold(program_, b.length, kernel_.symbols)).text;
  }
  kernel_.lengths_used.insert(buffer);
  return kernel_.names.derived(b.name, "length");
}

Text ExprWriter::load(ExprId id) {
  const Expr& e = program_.exprs[id];
  const ir::Buffer& b = program_.buffers[e.index];
  const std::string& name = kernel_.names.of(b.name);
  if (!kernel_.proofs.inside[id]) {
    return {fmt::format("{}({}, {}, {})", kernel_.prelude.load(b.access, e.type), name,
                        length(e.index), plain(e.args[0]))};
  }
  if (e.type.width == 1) return {fmt::format("{}[{}]", name, index(e.args[0]))};
  return {fmt::format("vload{}({}, {})", e.type.width, index(e.args[0]), name)};
}

Text ExprWriter::cast(const Expr& e) {
  const Type from = program_.exprs[e.args[0]].type;
  const Text value = text(e.args[0]);
  if (from == e.type) return value;
  if (e.type.scalar == Scalar::boolean) {
    const Text both[] = {value, literal(from.scalar, 0)};
    return spell("($0 != $1)", both, "");
  }
  if (!ir::is_float(from)) return cast_to(type_name(e.type), value);
  return {fmt::format("{}({})", kernel_.prelude.float_to(e.type.scalar), value.text)};
}

// Signed overflow is undefined in C.
bool ExprWriter::wraps(ExprId id) const {
  const Expr& e = program_.exprs[id];
  const bool may = e.op == Op::add || e.op == Op::sub || e.op == Op::mul || e.op == Op::neg;
  return may && ir::is_signed(e.type.scalar) && !kernel_.proofs.plain[id];
}

Text ExprWriter::table_op(ExprId id) {
  const Expr& e = program_.exprs[id];
  const Type type = program_.exprs[e.args[0]].type;
  const bool plain = kernel_.proofs.plain[id];
  if (ir::info(e.op).rule == ir::Rule::shift) return shift(e, plain);
  if (wraps(id)) return cast_to(type_name(type), in_unsigned(e));
  const std::string_view pattern = pattern_of(e.op, type, plain);
  std::array<Text, 3> operands;
  for (std::uint32_t k = 0; k < ir::operand_count(e); ++k) operands[k] = text(e.args[k]);
  if (pattern.starts_with("vyre_")) {
    kernel_.prelude.operation(pattern.substr(5, pattern.find("_$T") - 5), type);
  }
  const Text value = spell(pattern, operands, to_string(type));
  // OpenCL's abs gives the unsigned type.
  return e.op == Op::abs && ir::is_signed(type.scalar) ? cast_to(type_name(type), value) : value;
}

// In the unsigned type: the bits are the same, and there wrapping is defined.
Text ExprWriter::in_unsigned(const Expr& e) {
  std::array<Text, 2> operands{Text{"0u"}, as_unsigned(e.args[0])};
  if (e.op == Op::neg) return spell("($0 - $1)", operands, "");
  operands = {operands[1], as_unsigned(e.args[1])};
  return spell(ir::info(e.op).c_spelling, operands, "");
}

Text ExprWriter::shift(const Expr& e, bool plain) {
  const bool as_bits = e.op == Op::shl && ir::is_signed(e.type.scalar);
  std::array<Text, 2> operands{as_bits ? as_unsigned(e.args[0]) : text(e.args[0]), text(e.args[1])};
  if (!plain) {
    const Text masked[] = {operands[1], {ir::byte_size(e.type.scalar) == 8 ? "63u" : "31u"}};
    operands[1] = spell("($0 & $1)", masked, "");
  }
  const Text value = spell(e.op == Op::shl ? "($0 << $1)" : "($0 >> $1)", operands, "");
  return as_bits ? cast_to(type_name(e.type), value) : value;
}

Text ExprWriter::as_unsigned(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (e.op == Op::constant) {
    return literal(e.type.scalar == Scalar::i32 ? Scalar::u32 : Scalar::u64, e.bits);
  }
  if (wraps(id)) return in_unsigned(e);
  return cast_to(unsigned_name(e.type.scalar), text(id));
}

std::string ExprWriter::index(ExprId id) { return widens(id) ? wide(id).text : plain(id); }

bool ExprWriter::widens(ExprId id) const {
  const Expr& e = program_.exprs[id];
  const bool arithmetic = e.op == Op::add || e.op == Op::sub || e.op == Op::mul;
  return arithmetic && e.type == Type{Scalar::u32, 1} && kernel_.proofs.plain[id];
}

// C computes an operation in the wider of its operands' types: one wide operand is enough.
Text ExprWriter::wide(ExprId id) {
  if (!widens(id)) return cast_to("size_t", text(id));
  const Expr& e = program_.exprs[id];
  const Text both[] = {wide(e.args[0]), widens(e.args[1]) ? wide(e.args[1]) : text(e.args[1])};
  return spell(ir::info(e.op).c_spelling, both, "");
}

}  // namespace vyre::emit::opencl
