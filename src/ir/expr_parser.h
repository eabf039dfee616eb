// Reads expressions and gives them their types.

#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <vector>

#include "ir/literal.h"
#include "ir/scope.h"
#include "ir/token_stream.h"
#include "vyre/program.h"

namespace vyre::ir {

// Counts the nodes of a program or of a sequence's own expressions.
class NodeBudget {
 public:
  Expected<void> spend(const Token& at) {
    if (++spent_ <= Limits::kNodes) return {};
    return error_at(at, "more than {} expressions and statements; split it up", Limits::kNodes);
  }

 private:
  std::uint32_t spent_ = 0;
};

// Appends to `exprs`, children first. Recursion is bounded: a level of the tree costs at most two
// levels of the parser, itself and its parentheses.
class ExprParser {
 public:
  ExprParser(TokenStream& tokens, Scope& scope, std::vector<Expr>& exprs, NodeBudget& budget)
      : tokens_(tokens), scope_(scope), exprs_(exprs), budget_(budget) {}

  Expected<ExprId> parse();

  // A name that must be a buffer's.
  Expected<Named> buffer();
  // `.x4` or nothing, after a buffer's name.
  Expected<std::uint8_t> width();
  // `[index]`
  Expected<ExprId> index();

  // A constant in any of its spellings.
  Expected<TypedBits> literal();
  Expected<ExprId> constant(Type type, std::uint64_t bits);

 private:
  Expected<ExprId> nested(Expected<ExprId> (ExprParser::*rule)(int), int precedence);
  Expected<ExprId> binary(int precedence);
  Expected<ExprId> unary(int precedence);
  Expected<ExprId> primary();
  Expected<ExprId> parenthesised();
  Expected<ExprId> named();
  Expected<ExprId> load();
  Expected<ExprId> extractions(ExprId value);

  Expected<ExprId> call();
  Expected<ExprId> call_id(IdKind kind, const Token& at);
  Expected<ExprId> call_length(const Token& at);
  Expected<ExprId> call_type(Type type, const Token& at);
  Expected<ExprId> call_bitcast(Type type, const Token& at);
  Expected<ExprId> call_op(Op op, std::size_t arity, const Token& at);
  Expected<TypedBits> bits(Scalar type);
  Expected<std::array<ExprId, 4>> arguments(std::size_t count);

  Expected<ExprId> typed_op(Op op, std::span<const ExprId> args, const Token& at);
  Expected<ExprId> add(Expr expr, const Token& at);
  std::string types_of(std::span<const ExprId> args) const;

  TokenStream& tokens_;
  Scope& scope_;
  std::vector<Expr>& exprs_;
  NodeBudget& budget_;
  std::vector<std::uint32_t> depths_;  // of each of `exprs_`
  std::uint32_t nesting_ = 0;
};

// `u32`, `f32x4`; none if there is no such type.
std::optional<Type> find_type(std::string_view name);

}  // namespace vyre::ir
