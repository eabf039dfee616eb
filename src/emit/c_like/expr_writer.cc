#include "emit/c_like/expr_writer.h"

#include <fmt/format.h>

#include "emit/c_like/c_literal.h"
#include "emit/c_like/dialect.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"

namespace vyre::emit {

using ir::Expr;
using ir::ExprId;
using ir::Op;
using ir::Scalar;
using ir::Type;

namespace {

constexpr std::array<std::string_view, 4> kComponents{".x", ".y", ".z", ".w"};

}  // namespace

Text ExprWriter::text(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (dialect_.fold_reals) {
    if (auto constant = folded(id)) return *std::move(constant);
  }
  switch (e.op) {
    case Op::load:
      return load(id);
    case Op::vector:
      return vector(e);
    case Op::extract:
      return {operand(text(e.args[0]), Binding::primary) + std::string(kComponents[e.index])};
    case Op::select:
      return {fmt::format("{} ? {} : {}", operand(text(e.args[0]), Binding::equality),
                          operand(text(e.args[1]), Binding::bits),
                          operand(text(e.args[2]), Binding::bits)),
              Binding::choice};
    case Op::cast:
      return cast(e);
    case Op::bitcast:
      return bit_cast(e);
    default:
      return ir::in_table(e.op) ? table_op(id) : leaf(e);
  }
}

// The value of an operation that gives an f32 and depends on constants and tunables only.
std::optional<Text> ExprWriter::folded(ExprId id) const {
  const Expr& e = program_.exprs[id];
  if (e.type != Type{Scalar::f32, 1} || ir::operand_count(e) == 0) return std::nullopt;
  const auto bits = ir::fold(program_, id, emission_.symbols);
  if (!bits) return std::nullopt;
  return literal(dialect_.literals, Scalar::f32, *bits);
}

Text ExprWriter::vector(const Expr& e) {
  Text parts = text(e.args[0]);
  for (std::uint32_t k = 1; k < e.type.width; ++k) parts.text += ", " + plain(e.args[k]);
  return spell(dialect_.vector, {&parts, 1}, type_names(dialect_, e.type));
}

Text ExprWriter::leaf(const Expr& e) {
  switch (e.op) {
    case Op::constant:
      return literal(dialect_.literals, e.type.scalar, e.bits);
    case Op::symbol: {
      const ir::Symbol& symbol = program_.symbols[e.index];
      if (symbol.kind == ir::SymbolKind::tunable) emission_.tunables_used.insert(e.index);
      return {emission_.names.of(symbol.name)};
    }
    case Op::length:
      return {length(e.index)};
    case Op::id:
      if (ir::id_kind(e.index) == ir::IdKind::local_size) {
        return literal(dialect_.literals, Scalar::u32, emission_.workgroup[ir::id_axis(e.index)]);
      }
      return id_text(dialect_, e.index, emission_.workgroup);
    default:
      return {emission_.names.of(program_.variables[e.index].name)};
  }
}

std::string ExprWriter::length(std::uint32_t buffer) {
  const ir::Buffer& b = program_.buffers[buffer];
  if (!ir::is_bound(b.access)) {
    return literal(dialect_.literals, Scalar::u32, *ir::fold(program_, b.length, emission_.symbols))
        .text;
  }
  emission_.lengths_used.insert(buffer);
  return emission_.names.derived(b.name, "length");
}

Text ExprWriter::load(ExprId id) {
  const Expr& e = program_.exprs[id];
  const std::string& name = emission_.names.of(program_.buffers[e.index].name);
  if (!emission_.proofs.inside[id]) {
    return {fmt::format("{}({})", emission_.prelude.load(target(e.index), e.type),
                        guarded(e.index, e.args[0]))};
  }
  if (e.type.width > 1 && dialect_.functions_per_buffer) {
    return {fmt::format("{}({})", emission_.prelude.load_inside(target(e.index), e.type),
                        index(e.args[0]))};
  }
  if (e.type.width == 1) return {fmt::format("{}[{}]", name, index(e.args[0]))};
  const Text operands[] = {{index(e.args[0])}, {name}};
  return spell(dialect_.load_vector, operands, type_names(dialect_, e.type));
}

Prelude::Target ExprWriter::target(std::uint32_t buffer) {
  const ir::Buffer& b = program_.buffers[buffer];
  return {b.access, emission_.names.of(b.name)};
}

std::string ExprWriter::guarded(std::uint32_t buffer, ExprId index) {
  const std::string rest = fmt::format("{}, {}", length(buffer), guarded_index(index));
  if (dialect_.functions_per_buffer) return rest;
  return fmt::format("{}, {}", emission_.names.of(program_.buffers[buffer].name), rest);
}

// Without pointers an index is a u32. No buffer has 2^31 elements there, so that a negative i32 is
// outside as a u32, too.
std::string ExprWriter::guarded_index(ExprId id) {
  const Scalar type = program_.exprs[id].type.scalar;
  if (!dialect_.functions_per_buffer || type == Scalar::u32) return plain(id);
  if (type == Scalar::i32) return cast_to_type(ir::kU32, text(id)).text;
  const Text wide_index = type == Scalar::u64 ? text(id) : as_unsigned(id);
  return fmt::format("{}({})", emission_.prelude.narrow_index(), wide_index.text);
}

Text ExprWriter::cast(const Expr& e) {
  const Type from = program_.exprs[e.args[0]].type;
  const Text value = text(e.args[0]);
  if (from == e.type) return value;
  if (e.type.scalar == Scalar::boolean) {
    const Text both[] = {value, literal(dialect_.literals, from.scalar, 0)};
    return spell("($0 != $1)", both);
  }
  // C makes an int of a bool first.
  const bool widens_int = from == Type{Scalar::i32, 1} || from == Type{Scalar::boolean, 1};
  if (widens_int && e.type == Type{Scalar::i64, 1}) {
    const std::string function = emission_.prelude.widen_signed();
    if (!function.empty()) return {fmt::format("{}({})", function, value.text)};
  }
  if (!ir::is_float(from)) return cast_to_type(e.type, value);
  return {fmt::format("{}({})", emission_.prelude.float_to(e.type.scalar), value.text)};
}

Text ExprWriter::bit_cast(const Expr& e) {
  const std::string_view pattern = op_pattern(dialect_, Op::bitcast, e.type, false);
  const Text value[] = {text(e.args[0])};
  const Type from = program_.exprs[e.args[0]].type;
  if (dialect_.bitcasts_by_family && ir::is_float(from) == ir::is_float(e.type)) {
    return from == e.type ? value[0] : cast_to_type(e.type, value[0]);
  }
  emission_.prelude.operation(pattern, e.type, 1);
  return spell(pattern, value, type_names(dialect_, e.type));
}

// Whether the operation may overflow in a signed type, which is undefined in C.
bool ExprWriter::wraps(ExprId id) const {
  const Expr& e = program_.exprs[id];
  const bool may = e.op == Op::add || e.op == Op::sub || e.op == Op::mul || e.op == Op::neg;
  return may && ir::is_signed(e.type.scalar) && !emission_.proofs.plain[id];
}

Text ExprWriter::table_op(ExprId id) {
  const Expr& e = program_.exprs[id];
  const Type type = program_.exprs[e.args[0]].type;
  const bool plain = emission_.proofs.plain[id];
  if (ir::info(e.op).rule == ir::Rule::shift) return shift(e, plain);
  if (wraps(id)) return cast_to_type(type, in_unsigned(e));
  const std::string_view pattern = op_pattern(dialect_, e.op, type, plain);
  std::array<Text, 3> operands;
  for (std::uint32_t k = 0; k < ir::operand_count(e); ++k) operands[k] = text(e.args[k]);
  emission_.prelude.operation(pattern, type, ir::operand_count(e));
  return spell(pattern, operands, type_names(dialect_, type));
}

Text ExprWriter::cast_to_type(Type type, const Text& piece) const {
  return cast_to(dialect_, type_name(dialect_, type), piece);
}

// The operation in the unsigned type: the bits are the same, and wrapping is defined there.
Text ExprWriter::in_unsigned(const Expr& e) {
  std::array<Text, 2> operands{Text{"0u"}, as_unsigned(e.args[0])};
  if (e.op == Op::neg) return spell("($0 - $1)", operands);
  operands = {operands[1], as_unsigned(e.args[1])};
  return spell(ir::info(e.op).c_spelling, operands);
}

Text ExprWriter::shift(const Expr& e, bool plain) {
  const bool as_bits = e.op == Op::shl && ir::is_signed(e.type.scalar);
  std::array<Text, 2> operands{as_bits ? as_unsigned(e.args[0]) : text(e.args[0]), text(e.args[1])};
  if (!plain) {
    const Text masked[] = {operands[1], {ir::byte_size(e.type.scalar) == 8 ? "63u" : "31u"}};
    operands[1] = spell("($0 & $1)", masked);
  }
  const Text value = spell(e.op == Op::shl ? "($0 << $1)" : "($0 >> $1)", operands);
  return as_bits ? cast_to_type(e.type, value) : value;
}

Text ExprWriter::as_unsigned(ExprId id) {
  const Expr& e = program_.exprs[id];
  if (e.op == Op::constant) {
    return literal(dialect_.literals, e.type.scalar == Scalar::i32 ? Scalar::u32 : Scalar::u64,
                   e.bits);
  }
  if (wraps(id)) return in_unsigned(e);
  return cast_to(dialect_, unsigned_name(dialect_, e.type.scalar), text(id));
}

std::string ExprWriter::index(ExprId id) {
  if (widens(id) && !dialect_.index_type.empty()) return wide(id).text;
  const bool narrows = dialect_.functions_per_buffer && program_.exprs[id].type != ir::kU32;
  return narrows ? cast_to_type(ir::kU32, text(id)).text : plain(id);
}

bool ExprWriter::widens(ExprId id) const {
  const Expr& e = program_.exprs[id];
  const bool arithmetic = e.op == Op::add || e.op == Op::sub || e.op == Op::mul;
  return arithmetic && e.type == Type{Scalar::u32, 1} && emission_.proofs.plain[id];
}

// C computes an operation in the wider of its operands' types: one wide operand is enough.
Text ExprWriter::wide(ExprId id) {
  if (!widens(id)) return cast_to(dialect_, dialect_.index_type, text(id));
  const Expr& e = program_.exprs[id];
  const Text both[] = {wide(e.args[0]), widens(e.args[1]) ? wide(e.args[1]) : text(e.args[1])};
  return spell(ir::info(e.op).c_spelling, both);
}

}  // namespace vyre::emit
