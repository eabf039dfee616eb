// Statements as instructions.
//
// Control flow becomes masks: an `if` runs both branches, each with the lanes that take it, and
// jumps over a branch that no lane takes. A loop runs until no lane has turns left.

#pragma once

#include <vector>

#include "backend/reference/lower_expr.h"
#include "backend/reference/lowering.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

class StmtLowering {
 public:
  explicit StmtLowering(Lowering& lowering);

  // `mask` is the register of the lanes that are on.
  void block(const ir::Block& block, std::uint32_t mask);

 private:
  void stmt(ir::StmtId id, std::uint32_t mask);
  void let(const ir::Stmt& s);
  void assign(const ir::Stmt& s, std::uint32_t mask);
  void store(const ir::Stmt& s, std::uint32_t mask);
  void atomic(const ir::Stmt& s, std::uint32_t mask);
  void if_(const ir::Stmt& s, std::uint32_t mask);
  void for_(const ir::Stmt& s, std::uint32_t mask);
  void while_(const ir::Stmt& s, std::uint32_t mask);
  void drop_returned(std::uint32_t mask);

  Lowering& lowering_;
  Registers& registers_;
  const ir::Program& program_;
  ExprLowering exprs_;
  std::vector<std::uint32_t> in_scope_;  // variables to release at the end of their block
  bool has_return_;
};

}  // namespace vyre::backend::reference
