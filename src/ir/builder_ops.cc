// Operators and functions on values: what is written, to what ops.def says.

#include <fmt/format.h>

#include "ir/builder_recorder.h"

namespace vyre::ir {

std::string_view name_of_any(Op op) {
  switch (op) {
    case Op::vector:
      return "vec";
    case Op::extract:
      return "element";
    case Op::select:
      return "select";
    case Op::cast:
      return "cast";
    case Op::bitcast:
      return "bitcast";
    default:
      return in_table(op) ? info(op).name : "value";
  }
}

std::shared_ptr<Recorder> Recorder::common(Operands operands) {
  std::shared_ptr<Recorder> found;
  for (const Operand* operand : operands) {
    const auto recorder = of(*operand);
    if (!recorder || recorder == found) continue;
    // `resolve` would blame one of the two; which one was meant cannot be known.
    if (found) recorder->fail(at(*operand), "a value of another program is used");
    if (found) found->fail(at(*operand), "a value of another program is used");
    if (!found) found = recorder;
  }
  return found;
}

std::string Recorder::describe_all(Operands operands) const {
  std::string text;
  std::size_t i = 0;
  for (const Operand* operand : operands) {
    if (i != 0) text += i + 1 == operands.size() ? " and " : ", ";
    text += describe(*operand);
    ++i;
  }
  return text;
}

void Recorder::fail_types(Op op, Operands operands) {
  const Location& place = at(**operands.begin());
  const std::string_view takes =
      op == Op::select ? "a bool and two values of one type" : ir::describe(info(op).rule);
  fail(place, fmt::format("{} takes {}, not {}", name_of_any(op), takes, describe_all(operands)));
}

Value Recorder::apply_here(Op op, Operands operands) {
  const bool shifts = in_table(op) && info(op).rule == Rule::shift;
  const auto rest = std::span(operands.begin(), operands.size()).subspan(op == Op::select ? 1 : 0);
  Type common = type_of(**rest.begin());
  for (const Operand* operand : rest) {
    if (!is_literal(*operand)) {
      common = type_of(*operand);
      break;
    }
  }
  Expr expr{.op = op, .type = {}};
  std::array<Type, 3> types{};
  std::size_t i = 0;
  for (const Operand* operand : operands) {
    Type wanted = common;
    if (shifts && i == 1) wanted = {u32, 1};
    if (op == Op::select && i == 0) wanted = {boolean, 1};
    expr.args[i] = resolve(*operand, wanted);
    if (!ok()) return {};
    types[i] = draft_.nodes[expr.args[i]].expr.type;
    ++i;
  }
  const auto result = result_type(op, std::span(types).first(i));
  if (!result) {
    fail_types(op, operands);
    return {};
  }
  expr.type = *result;
  return make(push(expr));
}

Value Recorder::apply(Op op, Operands operands) {
  const auto recorder = common(operands);
  return recorder && recorder->ok() ? recorder->apply_here(op, operands) : Value{};
}

Value Recorder::apply_bools(Op op, std::string_view spelling, Operands operands) {
  const auto recorder = common(operands);
  if (!recorder || !recorder->ok()) return {};
  for (const Operand* operand : operands) {
    if (recorder->of(*operand) && recorder->type_of(*operand) != Type{boolean, 1}) {
      recorder->fail(at(*operand), fmt::format("{} takes bools, not {}", spelling,
                                               recorder->describe_all(operands)));
    }
  }
  return apply(op, operands);
}

Value Recorder::convert(Op op, Scalar to, const Operand& value) {
  const auto recorder = common({&value});
  if (!recorder || !recorder->ok()) return {};
  Expr expr{.op = op, .type = {to, 1}};
  expr.args[0] = recorder->resolve(value, {to, 1});
  if (!recorder->ok()) return {};
  const Type from = recorder->draft_.nodes[expr.args[0]].expr.type;
  if (from == expr.type) return recorder->make(expr.args[0]);
  const bool resizes = op == Op::bitcast && (byte_size(from.scalar) != byte_size(to) ||
                                             from.scalar == boolean || to == boolean);
  if (is_vector(from) || resizes) {
    recorder->fail(at(value), fmt::format("{} to {} takes {}, not {}", name_of_any(op), name_of(to),
                                          op == Op::cast ? "a scalar" : "a number of that size",
                                          recorder->describe(value)));
    return {};
  }
  return recorder->make(recorder->push(expr));
}

Value Recorder::extract(const Value& vector, const Operand& i) {
  const auto recorder = vector.recorder_;
  if (!recorder || !recorder->ok()) return {};
  const Operand operand(vector, at(i));
  Expr expr{.op = Op::extract, .type = {}};
  expr.args[0] = recorder->resolve(operand, {});
  if (!recorder->ok()) return {};
  const Type type = recorder->draft_.nodes[expr.args[0]].expr.type;
  const auto which = is_literal(i) ? literal_bits(i.literal_, u32) : std::nullopt;
  if (!is_vector(type) || !which || *which >= type.width) {
    recorder->fail(at(i), fmt::format("there is no element {} in {}", recorder->describe(i),
                                      recorder->describe(operand)));
    return {};
  }
  expr.type = {type.scalar, 1};
  expr.index = static_cast<std::uint32_t>(*which);
  return recorder->make(recorder->push(expr));
}

Value Recorder::vector(Operands operands) {
  if (!ok()) return {};
  const Type element{common_type(operands).scalar, 1};
  Expr expr{.op = Op::vector, .type = {element.scalar, static_cast<std::uint8_t>(operands.size())}};
  std::size_t i = 0;
  for (const Operand* operand : operands) {
    if (!is_allowed(expr.type))
      fail(at(*operand), "vec takes u32 or f32, not " + describe(*operand));
    expr.args[i++] = resolve_as(*operand, element, "vec");
  }
  return ok() ? make(push(expr)) : Value{};
}

// --- the spellings ------------------------------------------------------------------------

#define VYRE_BINARY(spelling, op)                               \
  Value operator spelling(const Operand& a, const Operand& b) { \
    return Recorder::apply(Op::op, {&a, &b});                   \
  }
VYRE_BINARY(+, add)
VYRE_BINARY(-, sub)
VYRE_BINARY(*, mul)
VYRE_BINARY(/, div)
VYRE_BINARY(%, mod)
VYRE_BINARY(&, and_)
VYRE_BINARY(|, or_)
VYRE_BINARY(^, xor_)
VYRE_BINARY(<<, shl)
VYRE_BINARY(>>, shr)
VYRE_BINARY(==, eq)
VYRE_BINARY(!=, ne)
VYRE_BINARY(<, lt)
VYRE_BINARY(<=, le)
VYRE_BINARY(>, gt)
VYRE_BINARY(>=, ge)
#undef VYRE_BINARY

Value operator&&(const Operand& a, const Operand& b) {
  return Recorder::apply_bools(Op::and_, "&&", {&a, &b});
}
Value operator||(const Operand& a, const Operand& b) {
  return Recorder::apply_bools(Op::or_, "||", {&a, &b});
}
Value operator!(const Operand& a) { return Recorder::apply_bools(Op::not_, "!", {&a}); }
Value operator~(const Operand& a) { return Recorder::apply(Op::not_, {&a}); }
Value operator-(const Operand& a) { return Recorder::apply(Op::neg, {&a}); }

#define VYRE_POINTERS_1 &a
#define VYRE_POINTERS_2 &a, &b
#define VYRE_POINTERS_3 &a, &b, &c
#define VYRE_OP(name, arity, rule, spelling, meaning) \
  Value name(VYRE_OPERANDS_##arity) { return Recorder::apply(Op::name, {VYRE_POINTERS_##arity}); }
#include "vyre/ops.def"

Value select(const Operand& condition, const Operand& if_true, const Operand& if_false) {
  return Recorder::apply(Op::select, {&condition, &if_true, &if_false});
}
Value cast(Scalar to, const Operand& value) { return Recorder::convert(Op::cast, to, value); }
Value bitcast(Scalar to, const Operand& value) { return Recorder::convert(Op::bitcast, to, value); }

}  // namespace vyre::ir
