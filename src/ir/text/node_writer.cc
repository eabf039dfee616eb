#include "ir/text/node_writer.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "ir/ops.h"
#include "ir/structure.h"
#include "ir/text/syntax.h"

namespace vyre::ir {
namespace {

std::string spelling(Op op) {
  if (op == Op::neg) return "'-'";
  if (op == Op::not_) return "'~'";
  if (const Infix* infix = find_infix(op)) return "'" + std::string(infix->token) + "'";
  return quote(op == Op::select ? "select" : info(op).name);
}

}  // namespace

std::unexpected<Error> too_deep(const Token& at) {
  return error_at(at, "an expression nests deeper than {} levels; put a part of it into a `let`",
                  Limits::kExprDepth);
}

Expected<ExprId> NodeWriter::add(Expr expr, const Token& at) {
  VYRE_TRY_VOID(budget_.spend(at));
  std::uint32_t depth = 1;
  for (const ExprId arg : operands(expr)) depth = std::max(depth, depths_[arg] + 1);
  if (depth > Limits::kExprDepth) return too_deep(at);
  exprs_.push_back(expr);
  depths_.push_back(depth);
  return static_cast<ExprId>(exprs_.size() - 1);
}

Expected<ExprId> NodeWriter::constant(Type type, std::uint64_t bits, const Token& at) {
  Expr expr;
  expr.op = Op::constant;
  expr.type = type;
  expr.bits = bits;
  return add(expr, at);
}

std::string NodeWriter::types_of(std::span<const ExprId> args) const {
  std::string out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const bool last = i + 1 == args.size();
    if (i > 0) out += last ? " and " : ", ";
    out += to_string(exprs_[args[i]].type);
  }
  return out;
}

Expected<ExprId> NodeWriter::operation(Op op, std::span<const ExprId> args, const Token& at) {
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
