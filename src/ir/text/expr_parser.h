// Reads expressions and gives them their types.

#pragma once

#include <array>
#include <vector>

#include "ir/text/node_writer.h"
#include "ir/text/scope.h"
#include "ir/text/spelling.h"
#include "vyre/program.h"

namespace vyre::ir {

// Recursive descent, with operators by precedence. Recursion is bounded: a level of the tree costs
// at most two levels of the parser, itself and its parentheses.
class ExprParser {
 public:
  ExprParser(TokenStream& tokens, Scope& scope, std::vector<Expr>& exprs, NodeBudget& budget)
      : tokens_(tokens), scope_(scope), nodes_(exprs, budget) {}

  Expected<ExprId> parse();

  // A name that must be a buffer's.
  Expected<Named> buffer();
  // `.x4` or nothing, after a buffer's name.
  Expected<std::uint8_t> width();
  // `[index]`
  Expected<ExprId> index();

  // A constant in any of its spellings.
  Expected<TypedBits> literal();
  Expected<ExprId> constant(Type type, std::uint64_t bits) {
    return nodes_.constant(type, bits, tokens_.peek());
  }

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

  TokenStream& tokens_;
  Scope& scope_;
  NodeWriter nodes_;
  std::uint32_t nesting_ = 0;
};

}  // namespace vyre::ir
