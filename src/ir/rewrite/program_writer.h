// ProgramWriter: a program that is being made, one node after the other.
//
// Expressions and statements are appended children first, so the result keeps the structure rules
// (V001 to V003) if no expression is used twice: `copy` gives a second one. Expressions that
// nothing uses are left out in the end. Statements go to the end of the block that is open. A bug
// of the caller (operands of types that the operation does not take) is a VYRE_CHECK; whether the
// result is valid is for `validate` to say.

#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/program.h"

namespace vyre::ir {

class ProgramWriter {
 public:
  explicit ProgramWriter(std::string name);

  // --- Declarations. ---

  // The index of the symbol with this name. It is declared as `symbol` if there is none.
  std::uint32_t symbol(const Symbol& symbol);
  // The index of a new buffer. `length` is an expression of this program.
  std::uint32_t buffer(const Buffer& like, ExprId length);
  // kNone if there is none.
  std::uint32_t find_buffer(std::string_view name) const;
  // The index of a new variable, which a `let` or a `for` must introduce. Its name is the wish, or
  // the wish and a number if the name is taken by anything.
  std::uint32_t variable(std::string_view wish, Type type, bool is_mutable);
  // A name that nothing has yet, like the wish. It is taken from now on.
  std::string free_name(std::string_view wish);
  // Names that variables and arrays must not get: those of declarations that come later.
  void reserve(std::string_view name) { names_.emplace(name); }

  // --- Expressions: none may be used twice. ---

  Type type_of(ExprId expr) const { return program_.exprs[expr].type; }
  ExprId expr(const Expr& expr);  // as it is; its operands are expressions of this program
  ExprId constant(Scalar type, std::uint64_t bits);
  ExprId u32(std::uint32_t value) { return constant(Scalar::u32, value); }
  ExprId zero(Type type);  // also of vectors
  ExprId symbol_value(std::uint32_t symbol);
  ExprId variable_value(std::uint32_t variable);
  ExprId id(IdKind kind, std::uint32_t axis);
  ExprId length(std::uint32_t buffer);
  ExprId load(std::uint32_t buffer, ExprId index, std::uint8_t width = 1);
  // An operation of ops.def or `select`.
  ExprId op(Op op, std::initializer_list<ExprId> operands);
  ExprId cast(Scalar type, ExprId value);  // the value itself if it has the type
  ExprId extract(ExprId vector, std::uint32_t element);
  ExprId copy(ExprId expr);

  // --- Statements: to the end of the open block. ---

  StmtId stmt(Stmt stmt);
  std::uint32_t let(std::string_view wish, ExprId value);  // the variable
  std::uint32_t var(std::string_view wish, ExprId value);  // a mutable one
  void assign(std::uint32_t variable, ExprId value);
  void store(std::uint32_t buffer, ExprId index, ExprId value);

  // A block inside the open one: statements go there until it is closed. The block that `close`
  // gives belongs into a statement.
  void open();
  Block close();
  // close, and an `if` with that block.
  void close_if(ExprId condition);
  // The number of the block that is open now, and whether the block with a number is still open: a
  // variable that was introduced there is then visible.
  std::uint32_t open_block() const { return open_.back(); }
  bool is_open(std::uint32_t block) const;

  std::uint32_t nodes() const;  // expressions and statements so far

  // What has been written so far. `finish` makes the outermost block its body.
  const Program& program() const { return program_; }
  Program& program() { return program_; }
  Program finish() &&;

 private:
  Program program_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> open_{0};  // the number of each of `blocks_`
  std::uint32_t opened_ = 0;
  std::set<std::string, std::less<>> names_;
};

}  // namespace vyre::ir
