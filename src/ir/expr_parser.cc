#include "ir/expr_parser.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "ir/names.h"
#include "ir/ops.h"
#include "ir/structure.h"
#include "ir/syntax.h"

namespace vyre::ir {
namespace {

constexpr std::uint32_t kMostNesting = 2 * Limits::kExprDepth;

const Infix* infix_of(const Token& token) {
  return token.kind == TokenKind::punctuation ? find_infix(token.text) : nullptr;
}

std::unexpected<Error> too_deep(const Token& at) {
  return error_at(at, "an expression nests deeper than {} levels; put a part of it into a `let`",
                  Limits::kExprDepth);
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
    VYRE_TRY(left, typed_op(infix->op, std::array{left, right}, at));
  }
  return left;
}

Expected<ExprId> ExprParser::unary(int /*precedence*/) {
  const Token at = tokens_.peek();
  const bool prefixed = at.is("-") || at.is("~") || at.is("!");
  if (!prefixed || is_signed_number(tokens_)) return primary();
  tokens_.take();
  VYRE_TRY(const ExprId operand, nested(&ExprParser::unary, kUnary));
  if (at.is("-")) return typed_op(Op::neg, std::array{operand}, at);
  const Type type = exprs_[operand].type;
  if (at.is("!") && type.scalar != Scalar::boolean) {
    return error_at(at, "'!' takes a bool, not {}; '~' inverts bits", to_string(type));
  }
  if (at.is("~") && type.scalar == Scalar::boolean) {
    return error_at(at, "'~' takes integers, not bool; '!' negates a bool");
  }
  return typed_op(Op::not_, std::array{operand}, at);
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

Expected<ExprId> ExprParser::constant(Type type, std::uint64_t bits) {
  Expr expr;
  expr.op = Op::constant;
  expr.type = type;
  expr.bits = bits;
  return add(expr, tokens_.peek());
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
  VYRE_TRY(const ExprId value, add(expr, at));
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
  VYRE_TRY(const ExprId value, add(expr, at));
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
    const Type type = exprs_[value].type;
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
    VYRE_TRY(value, add(expr, at));
  }
  return value;
}

Expected<ExprId> ExprParser::add(Expr expr, const Token& at) {
  VYRE_TRY_VOID(budget_.spend(at));
  std::uint32_t depth = 1;
  for (const ExprId arg : operands(expr)) depth = std::max(depth, depths_[arg] + 1);
  if (depth > Limits::kExprDepth) return too_deep(at);
  exprs_.push_back(expr);
  depths_.push_back(depth);
  return static_cast<ExprId>(exprs_.size() - 1);
}

}  // namespace vyre::ir
