// StmtPrinter: statements in the text form.

#pragma once

#include <cstdint>
#include <string>

#include "ir/text/expr_printer.h"

namespace vyre::ir {

// Appends statements to `out`.
class StmtPrinter {
 public:
  StmtPrinter(const Program& program, std::string& out, Bounds bounds = {})
      : program_(program), out_(out), exprs_(tables_of(program), out, bounds) {}

  // The statement without its blocks.
  void head(const Stmt& stmt);
  // The whole block, one statement a line. Trees only.
  void block(const Block& block, std::size_t indent);

 private:
  void introduce(std::uint32_t variable);
  void store_target(const Stmt& stmt);
  void for_head(const Stmt& stmt);
  void atomic(const Stmt& stmt);
  void blocks(const Stmt& stmt, std::size_t indent);

  const Program& program_;
  std::string& out_;
  ExprPrinter exprs_;
};

}  // namespace vyre::ir
