// NodeWriter: appends the expressions that the parser reads, with their types.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "ir/text/token_stream.h"
#include "vyre/program.h"

namespace vyre::ir {

// Counts the nodes of a program, or of a sequence's own expressions, up to the limit.
class NodeBudget {
 public:
  Expected<void> spend(const Token& at) {
    if (++spent_ <= Limits::kNodes) return {};
    return error_at(at, "more than {} expressions and statements; split it up", Limits::kNodes);
  }

 private:
  std::uint32_t spent_ = 0;
};

// Appends to `exprs`, children first. Errors name the token that the expression began with.
class NodeWriter {
 public:
  NodeWriter(std::vector<Expr>& exprs, NodeBudget& budget) : exprs_(exprs), budget_(budget) {}

  Type type_of(ExprId id) const { return exprs_[id].type; }

  // The node as it is; fails beyond the limits of depth and number.
  Expected<ExprId> add(Expr expr, const Token& at);
  Expected<ExprId> constant(Type type, std::uint64_t bits, const Token& at);
  // An operation of ops.def or `select`; fails if its rule does not allow the operands' types.
  Expected<ExprId> operation(Op op, std::span<const ExprId> args, const Token& at);

 private:
  std::string types_of(std::span<const ExprId> args) const;

  std::vector<Expr>& exprs_;
  NodeBudget& budget_;
  std::vector<std::uint32_t> depths_;  // of each of `exprs_`
};

std::unexpected<Error> too_deep(const Token& at);

}  // namespace vyre::ir
