// Expressions of a kernel as OpenCL C.

#pragma once

#include <string>

#include "emit/c_like/text.h"
#include "emit/opencl/kernel.h"

namespace vyre::emit::opencl {

class ExprWriter {
 public:
  explicit ExprWriter(Kernel& kernel) : kernel_(kernel), program_(kernel.program) {}

  Text text(ir::ExprId id);
  std::string plain(ir::ExprId id) { return text(id).text; }

  // The same as an index that is known to be inside: sums and products that cannot wrap are
  // computed in 64 bits, so that compilers see that neighbours lie side by side.
  std::string index(ir::ExprId id);

  // The element count of a buffer.
  std::string length(std::uint32_t buffer);

 private:
  Text leaf(const ir::Expr& e);
  Text load(ir::ExprId id);
  Text cast(const ir::Expr& e);
  Text table_op(ir::ExprId id);
  bool wraps(ir::ExprId id) const;
  Text in_unsigned(const ir::Expr& e);
  Text shift(const ir::Expr& e, bool plain);
  Text as_unsigned(ir::ExprId id);
  Text wide(ir::ExprId id);
  bool widens(ir::ExprId id) const;

  Kernel& kernel_;
  const ir::Program& program_;
};

}  // namespace vyre::emit::opencl
