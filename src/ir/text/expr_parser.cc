#include "ir/text/expr_parser.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "ir/names.h"
#include "ir/ops.h"
#include "ir/text/syntax.h"
#include "ir/text/type_names.h"

namespace vyre::ir {
namespace {

constexpr std::string_view kBitcastPrefix = "bits_";
constexpr std::uint32_t kMostNesting = 2 * Limits::kExprDepth;

const Infix* infix_of(const Token& token) {
  return token.kind == TokenKind::punctuation ? find_infix(token.text) : nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names{"length", "select"};
  for (const Op op : table_ops()) names.emplace_back(info(op).name);
  for (std::uint32_t kind = 0; kind < kIdKinds; ++kind) {
    names.emplace_back(name_of(static_cast<IdKind>(kind)));
  }
  for (const Type type : kAllTypes) names.push_back(to_string(type));
  for (const Type type : kAllTypes) names.push_back(std::string(kBitcastPrefix) + to_string(type));
  return names;
}

bool is_signed_number(const TokenStream& tokens) {
  return tokens.peek().is("-") && tokens.following().kind == TokenKind::number;
}

bool has_suffix(std::string_view number) {
  return number.ends_with('u') || number.ends_with('i') || number.ends_with('l') ||
         (number.ends_with('f') && !number.starts_with("0x"));
}

}  // namespace

Expected<ExprId> ExprParser::parse() { return nested(&ExprParser::binary, kLoosest); }

Expected<ExprId> ExprParser::nested(Expected<ExprId> (ExprParser::*rule)(int), int precedence) {
  if (nesting_ >= kMostNesting) return too_deep(tokens_.peek());
  ++nesting_;
  auto result = (this->*rule)(precedence);
  --nesting_;
  return result;
}

Expected<ExprId> ExprParser::binary(int precedence) {
  VYRE_TRY(ExprId left, unary(kUnary));
  for (const Infix* infix = infix_of(tokens_.peek()); infix && infix->precedence >= precedence;
       infix = infix_of(tokens_.peek())) {
    const Token at = tokens_.take();
    VYRE_TRY(const ExprId right, nested(&ExprParser::binary, infix->precedence + 1));
    VYRE_TRY(left, nodes_.operation(infix->op, std::array{left, right}, at));
  }
  return left;
}

Expected<ExprId> ExprParser::unary(int /*precedence*/) {
  const Token at = tokens_.peek();
  const bool prefixed = at.is("-") || at.is("~") || at.is("!");
  if (!prefixed || is_signed_number(tokens_)) return primary();
  tokens_.take();
  VYRE_TRY(const ExprId operand, nested(&ExprParser::unary, kUnary));
  if (at.is("-")) return nodes_.operation(Op::neg, std::array{operand}, at);
  const Type type = nodes_.type_of(operand);
  if (at.is("!") && type.scalar != Scalar::boolean) {
    return error_at(at, "'!' takes a bool, not {}; '~' inverts bits", to_string(type));
  }
  if (at.is("~") && type.scalar == Scalar::boolean) {
    return error_at(at, "'~' takes integers, not bool; '!' negates a bool");
  }
  return nodes_.operation(Op::not_, std::array{operand}, at);
}

Expected<ExprId> ExprParser::primary() {
  const Token& token = tokens_.peek();
  if (token.is("(")) return parenthesised();
  if (token.kind == TokenKind::number || is_signed_number(tokens_) || token.is("true") ||
      token.is("false")) {
    VYRE_TRY(const TypedBits value, literal());
    return constant({value.type, 1}, value.bits);
  }
  if (token.kind != TokenKind::word) return tokens_.expected("an expression");
  if (tokens_.following().is("(")) return call();
  if (is_reserved(token.text)) return tokens_.expected("an expression");
  return named();
}

Expected<ExprId> ExprParser::parenthesised() {
  tokens_.take();
  VYRE_TRY(const ExprId inner, parse());
  VYRE_TRY_VOID(tokens_.expect(")"));
  return extractions(inner);
}

Expected<TypedBits> ExprParser::literal() {
  const Token at = tokens_.peek();
  if (tokens_.take_if("true")) return TypedBits{Scalar::boolean, 1};
  if (tokens_.take_if("false")) return TypedBits{Scalar::boolean, 0};
  if (const auto type = at.kind == TokenKind::word ? find_scalar(at.text) : std::nullopt) {
    tokens_.take();
    return bits(*type);
  }
  const std::string sign = tokens_.take_if("-") ? "-" : "";
  if (tokens_.peek().kind != TokenKind::number) return tokens_.expected("a constant");
  const std::string text = sign + std::string(tokens_.take().text);
  if (const auto value = parse_number(text)) return *value;
  if (has_suffix(text)) {
    return error_at(at, "{} is malformed or does not fit its type", quote(text));
  }
  return error_at(at, "{} has no type; end it with u, i, ul, l or f", quote(text));
}

Expected<ExprId> ExprParser::named() {
  const Token at = tokens_.peek();
  const Named* found = scope_.find(at.text);
  if (found == nullptr) {
    return error_at(at, "unknown name {}{}", quote(at.text),
                    did_you_mean(at.text, scope_.visible()));
  }
  if (found->kind == NamedKind::buffer) return load();
  tokens_.take();
  Expr expr;
  expr.op = found->kind == NamedKind::symbol ? Op::symbol : Op::variable;
  expr.type = found->type;
  expr.index = found->index;
  VYRE_TRY(const ExprId value, nodes_.add(expr, at));
  return extractions(value);
}

Expected<ExprId> ExprParser::load() {
  const Token at = tokens_.peek();
  VYRE_TRY(const Named source, buffer());
  Expr expr;
  expr.op = Op::load;
  expr.index = source.index;
  VYRE_TRY(const std::uint8_t elements, width());
  expr.type = {source.type.scalar, elements};
  VYRE_TRY(expr.args[0], index());
  VYRE_TRY(const ExprId value, nodes_.add(expr, at));
  return extractions(value);
}

Expected<Named> ExprParser::buffer() {
  const Token at = tokens_.peek();
  VYRE_TRY(const std::string name, tokens_.expect_name("the name of a buffer"));
  const Named* found = scope_.find(name);
  if (found == nullptr) {
    return error_at(at, "unknown buffer {}{}", quote(name),
                    did_you_mean(name, scope_.visible(NamedKind::buffer)));
  }
  if (found->kind != NamedKind::buffer) return error_at(at, "{} is not a buffer", quote(name));
  return *found;
}

Expected<std::uint8_t> ExprParser::width() {
  if (!tokens_.take_if(".")) return 1;
  if (tokens_.take_if("x2")) return 2;
  if (tokens_.take_if("x4")) return 4;
  return tokens_.expected("'x2' or 'x4'");
}

Expected<ExprId> ExprParser::index() {
  VYRE_TRY_VOID(tokens_.expect("["));
  VYRE_TRY(const ExprId value, parse());
  VYRE_TRY_VOID(tokens_.expect("]"));
  return value;
}

Expected<ExprId> ExprParser::extractions(ExprId value) {
  while (tokens_.peek().is(".")) {
    const Token at = tokens_.take();
    const Type type = nodes_.type_of(value);
    if (!is_vector(type)) {
      return error_at(at, "only vectors have elements, this is {}", to_string(type));
    }
    const Token number = tokens_.peek();
    Expr expr;
    expr.op = Op::extract;
    expr.type = {type.scalar, 1};
    VYRE_TRY(expr.index, tokens_.expect_count("the number of an element"));
    if (expr.index >= type.width) {
      return error_at(number, "the elements of {} are 0 to {}", to_string(type), type.width - 1);
    }
    expr.args[0] = value;
    VYRE_TRY(value, nodes_.add(expr, at));
  }
  return value;
}

Expected<ExprId> ExprParser::call() {
  const Token at = tokens_.take();
  const std::string_view name = at.text;
  if (name == "length") return call_length(at);
  if (name == "select") return call_op(Op::select, 3, at);
  if (const auto kind = find_id_kind(name)) return call_id(*kind, at);
  if (const auto type = find_type(name)) return call_type(*type, at);
  if (name.starts_with(kBitcastPrefix)) {
    if (const auto type = find_type(name.substr(kBitcastPrefix.size())))
      return call_bitcast(*type, at);
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
  return nodes_.add(expr, at);
}

Expected<ExprId> ExprParser::call_length(const Token& at) {
  tokens_.take();
  VYRE_TRY(const Named source, buffer());
  VYRE_TRY_VOID(tokens_.expect(")"));
  Expr expr;
  expr.op = Op::length;
  expr.index = source.index;
  return nodes_.add(expr, at);
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
    const Type given = nodes_.type_of(arg);
    if (is_vector(type) && given != Type{type.scalar, 1}) {
      return error_at(at, "{} takes {} operands of type {}, not {}", to_string(type), type.width,
                      name_of(type.scalar), to_string(given));
    }
    if (is_vector(given)) {
      return error_at(at, "{} takes a scalar, not {}", to_string(type), to_string(given));
    }
  }
  VYRE_TRY(const ExprId value, nodes_.add(expr, at));
  return extractions(value);
}

Expected<ExprId> ExprParser::call_bitcast(Type type, const Token& at) {
  Expr expr;
  expr.op = Op::bitcast;
  expr.type = type;
  VYRE_TRY(expr.args, arguments(1));
  const Type from = nodes_.type_of(expr.args[0]);
  const bool fits = !is_vector(from) && !is_vector(type) && from.scalar != Scalar::boolean &&
                    type.scalar != Scalar::boolean &&
                    byte_size(from.scalar) == byte_size(type.scalar);
  if (!fits) {
    return error_at(at, "{} cannot be reinterpreted as {}: it takes a number of the same size",
                    to_string(from), to_string(type));
  }
  return nodes_.add(expr, at);
}

Expected<ExprId> ExprParser::call_op(Op op, std::size_t arity, const Token& at) {
  VYRE_TRY(const auto args, arguments(arity));
  VYRE_TRY(const ExprId value, nodes_.operation(op, std::span(args).first(arity), at));
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

}  // namespace vyre::ir
