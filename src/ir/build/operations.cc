#include "ir/build/operations.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "base/text.h"
#include "ir/build/describe.h"
#include "ir/build/literal_bits.h"

namespace vyre::ir {
namespace {

// The recorder of the operands; null if none has one, or after reporting that they differ.
std::shared_ptr<Recorder> common_recorder(Operands operands) {
  std::shared_ptr<Recorder> found;
  for (const Operand* operand : operands) {
    const auto recorder = Recorder::of(*operand);
    if (!recorder || recorder == found) continue;
    // Which of the two was meant cannot be known, so both recorders get the mistake.
    if (found) recorder->fail(Recorder::at(*operand), "a value of another program is used");
    if (found) found->fail(Recorder::at(*operand), "a value of another program is used");
    if (!found) found = recorder;
  }
  return found;
}

std::string describe_all(const Recorder& recorder, Operands operands) {
  std::string text;
  std::size_t i = 0;
  for (const Operand* operand : operands) {
    if (i != 0) text += i + 1 == operands.size() ? " and " : ", ";
    text += recorder.describe(*operand);
    ++i;
  }
  return text;
}

void fail_types(Recorder& recorder, Op op, Operands operands) {
  const std::string_view takes =
      op == Op::select ? "a bool and two values of one type" : describe(info(op).rule);
  recorder.fail(
      Recorder::at(**operands.begin()),
      fmt::format("{} takes {}, not {}", name_of_any(op), takes, describe_all(recorder, operands)));
}

// The type that literals take: the type of the first operand that is not a literal. The condition
// of a select does not count.
Type type_for_literals(const Recorder& recorder, Op op, Operands operands) {
  const auto rest = std::span(operands.begin(), operands.size()).subspan(op == Op::select ? 1 : 0);
  for (const Operand* operand : rest) {
    if (!Recorder::is_literal(*operand)) return recorder.type_of(*operand);
  }
  return recorder.type_of(**rest.begin());
}

Value apply_in(Recorder& recorder, Op op, Operands operands) {
  const bool shifts = in_table(op) && info(op).rule == Rule::shift;
  const Type common = type_for_literals(recorder, op, operands);
  Expr expr{.op = op, .type = {}};
  std::array<Type, 3> types{};
  std::size_t i = 0;
  for (const Operand* operand : operands) {
    Type wanted = common;
    if (shifts && i == 1) wanted = {u32, 1};
    if (op == Op::select && i == 0) wanted = {boolean, 1};
    expr.args[i] = recorder.resolve(*operand, wanted);
    if (!recorder.ok()) return {};
    types[i] = recorder.draft().nodes[expr.args[i]].expr.type;
    ++i;
  }
  const auto result = result_type(op, std::span(types).first(i));
  if (!result) {
    fail_types(recorder, op, operands);
    return {};
  }
  expr.type = *result;
  return recorder.make(recorder.push(expr));
}

}  // namespace

Value apply(Op op, Operands operands) {
  const auto recorder = common_recorder(operands);
  return recorder && recorder->ok() ? apply_in(*recorder, op, operands) : Value{};
}

Value apply_bools(Op op, std::string_view spelling, Operands operands) {
  const auto recorder = common_recorder(operands);
  if (!recorder || !recorder->ok()) return {};
  for (const Operand* operand : operands) {
    if (Recorder::of(*operand) && recorder->type_of(*operand) != Type{boolean, 1}) {
      recorder->fail(Recorder::at(*operand), fmt::format("{} takes bools, not {}", spelling,
                                                         describe_all(*recorder, operands)));
    }
  }
  return apply(op, operands);
}

Value convert(Op op, Scalar to, const Operand& value) {
  const auto recorder = common_recorder({&value});
  if (!recorder || !recorder->ok()) return {};
  Expr expr{.op = op, .type = {to, 1}};
  expr.args[0] = recorder->resolve(value, {to, 1});
  if (!recorder->ok()) return {};
  const Type from = recorder->draft().nodes[expr.args[0]].expr.type;
  if (from == expr.type) return recorder->make(expr.args[0]);
  const bool resizes = op == Op::bitcast && (byte_size(from.scalar) != byte_size(to) ||
                                             from.scalar == boolean || to == boolean);
  if (is_vector(from) || resizes) {
    recorder->fail(Recorder::at(value),
                   fmt::format("{} to {} takes {}, not {}", name_of_any(op), name_of(to),
                               op == Op::cast ? "a scalar" : "a number of that size",
                               recorder->describe(value)));
    return {};
  }
  return recorder->make(recorder->push(expr));
}

Value extract_element(const Value& vector, const Operand& i) {
  const auto recorder = Recorder::of(vector);
  if (!recorder || !recorder->ok()) return {};
  const Operand operand(vector, Recorder::at(i));
  Expr expr{.op = Op::extract, .type = {}};
  expr.args[0] = recorder->resolve(operand, {});
  if (!recorder->ok()) return {};
  const Type type = recorder->draft().nodes[expr.args[0]].expr.type;
  const auto which =
      Recorder::is_literal(i) ? literal_bits(Recorder::literal_of(i), u32) : std::nullopt;
  if (!is_vector(type) || !which || *which >= type.width) {
    recorder->fail(Recorder::at(i),
                   fmt::format("there is no element {} in {}", recorder->describe(i),
                               recorder->describe(operand)));
    return {};
  }
  expr.type = {type.scalar, 1};
  expr.index = static_cast<std::uint32_t>(*which);
  return recorder->make(recorder->push(expr));
}

Value make_vector(Recorder& recorder, Operands elements) {
  if (!recorder.ok()) return {};
  const Type element{recorder.common_type(elements).scalar, 1};
  Expr expr{.op = Op::vector, .type = {element.scalar, static_cast<std::uint8_t>(elements.size())}};
  std::size_t i = 0;
  for (const Operand* operand : elements) {
    if (!is_allowed(expr.type))
      recorder.fail(Recorder::at(*operand),
                    "vec takes u32 or f32, not " + recorder.describe(*operand));
    expr.args[i++] = recorder.resolve_as(*operand, element, "vec");
  }
  return recorder.ok() ? recorder.make(recorder.push(expr)) : Value{};
}

Value load_elements(Recorder& recorder, std::uint32_t buffer, const Operand& index,
                    std::uint8_t width) {
  if (!recorder.ok()) return {};
  const Type type{recorder.draft().buffers[buffer].element, width};
  const std::string name = quote(recorder.draft().buffers[buffer].name);
  if (!is_allowed(type)) {
    recorder.fail(Recorder::at(index),
                  fmt::format("{} has elements of {}, and only u32 and f32 come in vectors", name,
                              name_of(type.scalar)));
  }
  Expr expr{.op = Op::load, .type = type, .index = buffer};
  expr.args[0] = recorder.resolve_as(index, {u32, 1}, "an index of " + name);
  return recorder.ok() ? recorder.make(recorder.push(expr)) : Value{};
}

}  // namespace vyre::ir
