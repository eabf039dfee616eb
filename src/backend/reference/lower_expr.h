// Expressions as instructions.

#pragma once

#include "backend/reference/lowering.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

class ExprLowering {
 public:
  explicit ExprLowering(Lowering& lowering)
      : lowering_(lowering), registers_(lowering.registers), program_(lowering.program) {}

  // The register that holds the value already, or a temporary that the emitted code fills.
  Register expr(ir::ExprId id);
  // The same, into a given register.
  void expr_into(ir::ExprId id, const Register& dst);

 private:
  Register leaf(const ir::Expr& e);
  void operation(const ir::Expr& e, const Register& dst);
  void load(const ir::Expr& e, const Register& dst);

  Lowering& lowering_;
  Registers& registers_;
  const ir::Program& program_;
};

}  // namespace vyre::backend::reference
