// Everything that is written as name(...): operations, types, ids.

#include <algorithm>

#include "base/text.h"
#include "ir/expr_parser.h"
#include "ir/ops.h"
#include "ir/syntax.h"

namespace vyre::ir {
namespace {

constexpr std::array kTypes = {Type{Scalar::boolean, 1}, Type{Scalar::u32, 1}, Type{Scalar::i32, 1},
                               Type{Scalar::u64, 1},     Type{Scalar::i64, 1}, Type{Scalar::f32, 1},
                               Type{Scalar::u32, 2},     Type{Scalar::u32, 4}, Type{Scalar::f32, 2},
                               Type{Scalar::f32, 4}};

constexpr std::string_view kBitcast = "bits_";

std::vector<std::string> function_names() {
  std::vector<std::string> names{"length", "select"};
  for (const Op op : table_ops()) names.emplace_back(info(op).name);
  for (std::uint32_t kind = 0; kind < kIdKinds; ++kind) {
    names.emplace_back(name_of(static_cast<IdKind>(kind)));
  }
  for (const Type type : kTypes) names.push_back(to_string(type));
  for (const Type type : kTypes) names.push_back(std::string(kBitcast) + to_string(type));
  return names;
}

std::string spelling(Op op) {
  if (op == Op::neg) return "'-'";
  if (op == Op::not_) return "'~'";
  if (const Infix* infix = find_infix(op)) return "'" + std::string(infix->token) + "'";
  return quote(op == Op::select ? "select" : info(op).name);
}

}  // namespace

std::optional<Type> find_type(std::string_view name) {
  for (const Type type : kTypes) {
    if (to_string(type) == name) return type;
  }
  return std::nullopt;
}

Expected<ExprId> ExprParser::call() {
  const Token at = tokens_.take();
  const std::string_view name = at.text;
  if (name == "length") return call_length(at);
  if (name == "select") return call_op(Op::select, 3, at);
  if (const auto kind = find_id_kind(name)) return call_id(*kind, at);
  if (const auto type = find_type(name)) return call_type(*type, at);
  if (name.starts_with(kBitcast)) {
    if (const auto type = find_type(name.substr(kBitcast.size()))) return call_bitcast(*type, at);
  }
  if (const auto op = find_op(name)) return call_op(*op, info(*op).arity, at);
  if (name.starts_with("atomic_")) {
    return error_at(at, "an atomic is a statement: write `let old: u32 = {}(...)`", name);
  }
  return error_at(at, "unknown function {}{}", quote(name), did_you_mean(name, function_names()));
}

Expected<ExprId> ExprParser::call_id(IdKind kind, const Token& at) {
  tokens_.take();
  VYRE_TRY(const std::uint32_t axis, tokens_.expect_count("an axis (0, 1 or 2)"));
  if (axis > 2) return error_at(at, "there are the axes 0, 1 and 2, not {}", axis);
  VYRE_TRY_VOID(tokens_.expect(")"));
  Expr expr;
  expr.op = Op::id;
  expr.index = id_index(kind, axis);
  return add(expr, at);
}

Expected<ExprId> ExprParser::call_length(const Token& at) {
  tokens_.take();
  VYRE_TRY(const Named source, buffer());
  VYRE_TRY_VOID(tokens_.expect(")"));
  Expr expr;
  expr.op = Op::length;
  expr.index = source.index;
  return add(expr, at);
}

// f32(0x7fc00000): a constant by its bits.
Expected<TypedBits> ExprParser::bits(Scalar type) {
  VYRE_TRY_VOID(tokens_.expect("("));
  const Token number = tokens_.peek();
  const auto value = parse_bits(number.text);
  if (!value) return tokens_.expected("bits such as 0x7fc00000");
  const bool fits =
      type == Scalar::boolean ? *value <= 1 : byte_size(type) == 8 || *value >> 32 == 0;
  if (!fits) return error_at(number, "{} are no bits of {}", quote(number.text), name_of(type));
  tokens_.take();
  VYRE_TRY_VOID(tokens_.expect(")"));
  return TypedBits{type, *value};
}

Expected<ExprId> ExprParser::call_type(Type type, const Token& at) {
  if (!is_vector(type) && parse_bits(tokens_.following().text)) {
    VYRE_TRY(const TypedBits value, bits(type.scalar));
    return constant(type, value.bits);
  }
  Expr expr;
  expr.op = is_vector(type) ? Op::vector : Op::cast;
  expr.type = type;
  VYRE_TRY(expr.args, arguments(type.width));
  for (const ExprId arg : std::span(expr.args).first(type.width)) {
    const Type given = exprs_[arg].type;
    if (is_vector(type) && given != Type{type.scalar, 1}) {
      return error_at(at, "{} takes {} operands of type {}, not {}", to_string(type), type.width,
                      name_of(type.scalar), to_string(given));
    }
    if (is_vector(given)) {
      return error_at(at, "{} takes a scalar, not {}", to_string(type), to_string(given));
    }
  }
  VYRE_TRY(const ExprId value, add(expr, at));
  return extractions(value);
}

Expected<ExprId> ExprParser::call_bitcast(Type type, const Token& at) {
  Expr expr;
  expr.op = Op::bitcast;
  expr.type = type;
  VYRE_TRY(expr.args, arguments(1));
  const Type from = exprs_[expr.args[0]].type;
  const bool fits = !is_vector(from) && !is_vector(type) && from.scalar != Scalar::boolean &&
                    type.scalar != Scalar::boolean &&
                    byte_size(from.scalar) == byte_size(type.scalar);
  if (!fits) {
    return error_at(at, "{} cannot be reinterpreted as {}: it takes a number of the same size",
                    to_string(from), to_string(type));
  }
  return add(expr, at);
}

Expected<ExprId> ExprParser::call_op(Op op, std::size_t arity, const Token& at) {
  VYRE_TRY(const auto args, arguments(arity));
  VYRE_TRY(const ExprId value, typed_op(op, std::span(args).first(arity), at));
  return extractions(value);
}

Expected<std::array<ExprId, 4>> ExprParser::arguments(std::size_t count) {
  std::array<ExprId, 4> args{kNone, kNone, kNone, kNone};
  for (std::size_t i = 0; i < count; ++i) {
    VYRE_TRY_VOID(tokens_.expect(i == 0 ? "(" : ","));
    VYRE_TRY(args[i], parse());
  }
  VYRE_TRY_VOID(tokens_.expect(")"));
  return args;
}

std::string ExprParser::types_of(std::span<const ExprId> args) const {
  std::string out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool last = i + 1 == args.size();
    if (i > 0) out += last ? " and " : ", ";
    out += to_string(exprs_[args[i]].type);
  }
  return out;
}

Expected<ExprId> ExprParser::typed_op(Op op, std::span<const ExprId> args, const Token& at) {
  std::array<Type, 3> types;
  for (std::size_t i = 0; i < args.size(); ++i) types[i] = exprs_[args[i]].type;
  const auto result = result_type(op, std::span(types).first(args.size()));
  if (!result) {
    const std::string_view wanted =
        op == Op::select ? "a bool and two values of one type" : describe(info(op).rule);
    return error_at(at, "{} takes {}, not {}", spelling(op), wanted, types_of(args));
  }
  Expr expr;
  expr.op = op;
  expr.type = *result;
  std::ranges::copy(args, expr.args.begin());
  return add(expr, at);
}

}  // namespace vyre::ir
