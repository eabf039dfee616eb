// Random statements: blocks in which barriers are allowed or not.

#pragma once

#include "testing/random_expr.h"

namespace vyre::testing {

struct Place {
  bool uniform = false;     // all invocations of a workgroup come here together
  bool may_return = false;  // no barrier follows
  std::uint32_t depth = 1;
};

class RandomStmt {
 public:
  explicit RandomStmt(RandomDraft& draft) : draft_(draft), exprs_(draft) {}

  // About `count` statements, appended to `block`; variables declared in it are visible behind it.
  void fill(ir::Block& block, Place place, std::uint32_t count);
  // A block of its own.
  ir::Block block(Place place);

  void add(ir::Block& block, ir::Stmt stmt);
  // Stores a value made of everything visible into one of the invocation's own elements.
  void store_digest(ir::Block& block);

 private:
  void one(ir::Block& block, Place place);
  void nested(ir::Block& block, Place place);
  void introduce(ir::Block& block);
  void assign(ir::Block& block);
  void store(ir::Block& block);
  void store_private(ir::Block& block);
  void atomic(ir::Block& block);
  void own_atomic(ir::Block& block);
  void exchange_through_local(ir::Block& block);
  void if_(ir::Block& block, Place place);
  void for_(ir::Block& block, Place place);
  void while_(ir::Block& block, Place place);
  void region(ir::Block& block, Place place);
  ir::ExprId uniform_condition();
  ir::ExprId unroll();

  RandomDraft& draft_;
  RandomExpr exprs_;
};

}  // namespace vyre::testing
