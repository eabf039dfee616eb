// Programs with the results of the analysis: for the tests of `prove`.

#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "bounds/proofs.h"
#include "ir/ops.h"
#include "ir/rewrite/fold.h"
#include "vyre/program.h"

namespace vyre::testing {

struct ProofCase {
  std::string declarations;  // of buffers and symbols; x is what is accessed
  std::string body;
  std::string guarded;  // the accesses that keep their guards, in the order of the nodes
};

inline ir::Program program_of(const ProofCase& c) {
  auto program = ir::parse_program("program p {\n" + c.declarations + "\n" + c.body + "\n}\n");
  EXPECT_TRUE(program) << program.error().message << "\n" << c.body;
  if (!program) return {};
  for (const Error& error : ir::validate(*program))
    ADD_FAILURE() << error.message << "\n" << c.body;
  return *std::move(program);
}

inline bounds::Proofs proofs_of(const ir::Program& program) {
  std::array<std::uint32_t, 3> workgroup{64, 1, 1};
  const auto symbols = ir::default_bits(program.symbols);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (program.workgroup[axis] == ir::kNone) continue;
    workgroup[axis] =
        static_cast<std::uint32_t>(*ir::fold(program, program.workgroup[axis], symbols));
  }
  return bounds::prove(program, symbols, workgroup);
}

// "x[i] x[k + 1u]": loads first, then stores and atomics.
inline std::string guarded_accesses(const ir::Program& program) {
  const bounds::Proofs proofs = proofs_of(program);
  std::string out;
  const auto add = [&](std::uint32_t buffer, ir::ExprId index) {
    if (!out.empty()) out += " ";
    out += program.buffers[buffer].name + "[" + ir::print_expr(program, index) + "]";
  };
  for (ir::ExprId id = 0; id < program.exprs.size(); ++id) {
    const ir::Expr& e = program.exprs[id];
    if (e.op == ir::Op::load && !proofs.inside[id]) add(e.index, e.args[0]);
  }
  for (ir::StmtId id = 0; id < program.stmts.size(); ++id) {
    const ir::Stmt& s = program.stmts[id];
    const bool accesses = s.kind == ir::StmtKind::store || s.kind == ir::StmtKind::atomic;
    if (accesses && !proofs.inside_stmt[id]) add(s.buffer, s.args[0]);
  }
  return out;
}

inline void expect_guards(std::span<const ProofCase> table) {
  for (const ProofCase& c : table) EXPECT_EQ(guarded_accesses(program_of(c)), c.guarded) << c.body;
}

inline const std::string kVector =
    "shape n: u32 scalar s: u32 scalar d: i32 read_write x: u32[n]\n";
inline const std::string kMatrix =
    "shape n: u32 shape m: u32 shape p: u32 scalar s: u32 read_write x: u32[n * m]\n";

}  // namespace vyre::testing
