// Statements of a kernel in the words of a dialect.

#pragma once

#include <string>

#include "emit/c_like/emission.h"
#include "emit/c_like/expr_writer.h"
#include "emit/c_like/spelling.h"

namespace vyre::emit {

class StmtWriter {
 public:
  StmtWriter(Emission& emission, ExprWriter& exprs, Lines& lines)
      : emission_(emission),
        dialect_(emission.dialect),
        program_(emission.program),
        exprs_(exprs),
        lines_(lines) {}

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
  std::string stepped(ir::Type type, const std::string& name, const std::string& step);
  void atomic(ir::StmtId id);
  std::string plain_atomic(const ir::Stmt& s);
  std::string guarded_atomic(const ir::Stmt& s);

  Emission& emission_;
  const Dialect& dialect_;
  const ir::Program& program_;
  ExprWriter& exprs_;
  Lines& lines_;
};

}  // namespace vyre::emit
