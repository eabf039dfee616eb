// Lowering: from the tree of a valid program to instructions over registers.
//
// Recursion is as deep as the tree, which `validate` bounds.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "backend/reference/code.h"
#include "backend/reference/handlers.h"
#include "backend/reference/races.h"
#include "vyre/program.h"

namespace vyre::backend::reference {

// Where a value is: `offset` in the registers, wider values in consecutive arrays.
struct Register {
  std::uint32_t offset = 0;
  ir::Type type;
  bool temporary = false;  // to be given back after use
};

class Lowering {
 public:
  Lowering(const ir::Program& program, const Specialisation& specialisation,
           const LoweringOptions& options);
  Expected<Code> run();

 private:
  // Registers: given back ones are used again, so that the whole file stays in the cache.
  Register allocate(ir::Type type, bool temporary);
  Register fresh(ir::Type type, bool temporary);
  void release(const Register& r);
  void release_if_temporary(const Register& r);
  Register preset(std::vector<Preset>& list, ir::Scalar type, std::uint64_t value);
  Register element(const Register& r, std::uint32_t k) const;

  // Expressions (lower_expr.cc).
  Register expr(ir::ExprId id);
  void expr_into(ir::ExprId id, const Register& dst);
  void operation(const ir::Expr& e, const Register& dst);
  void load(const ir::Expr& e, const Register& dst);
  Register leaf(const ir::Expr& e);

  // Statements (lower_stmt.cc). `mask` is the register of the lanes that are on.
  void block(const ir::Block& block, std::uint32_t mask);
  void stmt(ir::StmtId id, std::uint32_t mask);
  void let(const ir::Stmt& s);
  void assign(const ir::Stmt& s, std::uint32_t mask);
  void store(const ir::Stmt& s, std::uint32_t mask);
  void atomic(const ir::Stmt& s, std::uint32_t mask);
  void if_(const ir::Stmt& s, std::uint32_t mask);
  void for_(const ir::Stmt& s, std::uint32_t mask);
  void while_(const ir::Stmt& s, std::uint32_t mask);
  void drop_returned(std::uint32_t mask);
  void watch(std::uint32_t buffer, const Register& index, std::uint32_t width, Touch touch);
  void arrays();

  std::uint32_t emit(Instr i);
  std::uint32_t here() const { return static_cast<std::uint32_t>(code_.instructions.size()); }
  std::uint32_t cost_since(std::uint32_t first) const { return here() - first + 1; }
  std::uint32_t array_bytes(ir::Scalar s) const { return ir::byte_size(s) * stride_; }

  const ir::Program& program_;
  const Specialisation& specialisation_;
  LoweringOptions options_;
  Code code_;
  std::uint32_t stride_;  // lanes with padding
  std::uint64_t top_ = 0;
  std::map<std::uint32_t, std::vector<std::uint32_t>> free_;  // by size
  std::map<std::pair<const void*, std::pair<ir::Scalar, std::uint64_t>>, Register> presets_;
  std::vector<Register> variables_;
  std::vector<std::uint32_t> in_scope_;  // variables to give back at the end of their block
  bool has_return_ = false;
  std::uint32_t mask_ = 0;  // of the statement at hand: what `watch` reports
  ir::StmtId stmt_ = 0;
};

}  // namespace vyre::backend::reference
