// Reads statements into a program.

#pragma once

#include "ir/text/expr_parser.h"

namespace vyre::ir {

class StmtParser {
 public:
  StmtParser(TokenStream& tokens, Scope& scope, ExprParser& exprs, NodeBudget& budget,
             Program& program)
      : tokens_(tokens), scope_(scope), exprs_(exprs), budget_(budget), program_(program) {}

  // Statements up to the closing brace, which is not taken.
  Expected<Block> statements();

 private:
  Expected<Block> block();
  Expected<StmtId> statement();
  Expected<Stmt> any();
  Expected<Stmt> let(bool is_mutable);
  Expected<Stmt> assign();
  Expected<Stmt> store();
  Expected<Stmt> if_();
  Expected<Stmt> for_();
  Expected<Stmt> while_();
  Expected<Stmt> region();
  Expected<Stmt> atomic();

  Expected<Variable> variable_and_type();
  std::uint32_t declare(Variable variable);
  Expected<StmtId> add(Stmt stmt, const Token& at);
  std::unexpected<Error> no_statement() const;

  TokenStream& tokens_;
  Scope& scope_;
  ExprParser& exprs_;
  NodeBudget& budget_;
  Program& program_;
  std::uint32_t depth_ = 0;
};

}  // namespace vyre::ir
