// Statements of a kernel as OpenCL C.

#pragma once

#include <string>

#include "emit/c_like/text.h"
#include "emit/opencl/expr_writer.h"
#include "emit/opencl/kernel.h"

namespace vyre::emit::opencl {

class StmtWriter {
 public:
  StmtWriter(Kernel& kernel, ExprWriter& exprs, Lines& lines)
      : kernel_(kernel), program_(kernel.program), exprs_(exprs), lines_(lines) {}

  void block(const ir::Block& block);

 private:
  void stmt(ir::StmtId id);
  void introduce(std::uint32_t variable, const std::string& value);
  void store(ir::StmtId id);
  void if_(const ir::Stmt& s);
  void branches(const ir::Stmt& s);
  void branch(const ir::Block& body);
  bool has_barrier(const ir::Block& block) const;
  void for_(ir::StmtId id);
  void unroll(const ir::Stmt& s);
  std::string fixed(ir::ExprId id, const std::string& name, std::string& declared);
  void counted_for(const ir::Stmt& s);
  void while_(const ir::Stmt& s);
  void atomic(ir::StmtId id);

  Kernel& kernel_;
  const ir::Program& program_;
  ExprWriter& exprs_;
  Lines& lines_;
};

}  // namespace vyre::emit::opencl
