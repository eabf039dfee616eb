// Random expressions of a wanted type.

#pragma once

#include "testing/random_draft.h"

namespace vyre::testing {

class RandomExpr {
 public:
  explicit RandomExpr(RandomDraft& draft) : draft_(draft) {}

  ir::ExprId any(ir::Type type) { return make(type, draft_.options.max_expr_depth); }
  ir::ExprId condition() { return any({ir::Scalar::boolean, 1}); }
  // A u32 below `end`.
  ir::ExprId below(std::uint32_t end);
  // Where an invocation's own elements lie; a `width` above 1 is for vectors of that many.
  ir::ExprId own_index(const Own& own, std::uint8_t width);

  // A value made of every variable that can be seen.
  ir::ExprId digest(ir::Scalar scalar);
  // The bits of a constant.
  std::uint64_t value(ir::Scalar scalar);

  ir::Scalar scalar_type();  // any that the options allow
  ir::Type type();           // a vector sometimes

 private:
  ir::ExprId make(ir::Type type, std::uint32_t depth);
  ir::ExprId leaf(ir::Type type);
  ir::ExprId constant(ir::Type type);
  ir::ExprId table_op(ir::Type type, std::uint32_t depth);
  ir::ExprId comparison(std::uint32_t depth);
  ir::ExprId structural(ir::Type type, std::uint32_t depth);
  ir::ExprId conversion(ir::Scalar to, std::uint32_t depth);
  ir::ExprId load(ir::Type type, std::uint32_t depth);
  ir::ExprId load_input(ir::Type type, std::uint32_t depth);
  ir::ExprId extract(ir::Scalar scalar, std::uint32_t depth);
  ir::ExprId vector(ir::Type type, std::uint32_t depth);

  bool may_use(ir::Op op, ir::Type operand) const;
  bool may_mix(ir::Scalar from, ir::Scalar to) const;

  RandomDraft& draft_;
};

}  // namespace vyre::testing
