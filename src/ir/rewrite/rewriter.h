// Rewriter: walks the statements and expressions of one program into another one.
//
// Symbols, buffers and variables are mapped to those of the new program. A derived class replaces
// what it wants to change: `replace_expr` sees every expression before its operands are looked at,
// and `replace_stmt` sees every statement. A replacement may write statements: they stand before
// the statement that is being rewritten. Two rewriters may write into one program, one after the
// other or one from a hook of the other: so programs are joined.
//
// A hook cannot fail. If it finds something that it cannot rewrite, it notes that in its own class
// and returns any expression of the right type, such as ProgramWriter::zero.
//
// The program must be valid and have a body. Recursion is bounded by Limits.

#pragma once

#include <string>
#include <vector>

#include "ir/rewrite/program_writer.h"
#include "vyre/program.h"

namespace vyre::ir {

// The access of a buffer that two programs use one after the other, as one program.
// Not for a second program that starts from zeros (`write`) where the first one has an access.
Access joined_access(Access first, Access second);

class Rewriter {
 public:
  // Keeps references to both.
  Rewriter(const Program& from, ProgramWriter& to);
  virtual ~Rewriter() = default;
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  // By symbol, buffer and variable of `from`: its index in `to`; kNone if it has none yet. The
  // rewriter fills the variables in when it meets their introduction.
  std::vector<std::uint32_t> symbols;
  std::vector<std::uint32_t> buffers;
  std::vector<std::uint32_t> variables;

  // Declares the symbols that are not mapped, by name. Symbols that both programs have are one.
  // Symbols that are not declared in this way are declared where they are first used.
  void declare_symbols();
  // Declares the buffers that are not mapped. Buffers that are not declared in this way are
  // declared where they are first used.
  void declare_buffers();
  // The index in `to`. A bound buffer whose name `to` already has becomes that one, with the joined
  // access. Local and private arrays get a free name.
  std::uint32_t declare_buffer(std::uint32_t buffer);
  // Workgroup and grid of `to` become those of `from`.
  void declare_launch();

  ExprId rewrite(ExprId expr);  // kNone gives kNone
  void rewrite(const Block& block);
  void rewrite_stmt(StmtId stmt);

  // Whether the expression that is being rewritten is evaluated again and again (the condition of a
  // `while`), so that statements before the current one would not be.
  bool is_in_condition() const { return in_condition_; }

 protected:
  // An expression of `to` instead of `expr` of `from`; kNone: rewrite it as it is.
  virtual ExprId replace_expr(ExprId /*expr*/) { return kNone; }
  // Whether the hook has written what stands for the statement, or nothing.
  virtual bool replace_stmt(StmtId /*stmt*/) { return false; }

  const Program& from() const { return from_; }
  ProgramWriter& to() { return to_; }

  // As without hooks; for hooks that change only a part.
  ExprId rewrite_operands(ExprId expr);
  void rewrite_plainly(StmtId stmt);

 private:
  std::uint32_t introduce(std::uint32_t variable);
  Block rewrite_inside(const Block& block);

  const Program& from_;
  ProgramWriter& to_;
  bool in_condition_ = false;
};

}  // namespace vyre::ir
