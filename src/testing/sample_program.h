// A small valid program with every kind of statement, and a sequence. Tests of single mistakes
// start from these.

#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include "vyre/program.h"

namespace vyre::testing {

// Appends nodes to a program. Operands go in braces, which are evaluated from left to right: ids
// are the same with every compiler.
class NodeMaker {
 public:
  explicit NodeMaker(ir::Program& program) : program_(program) {}

  ir::ExprId expr(ir::Expr expr);
  ir::ExprId u32(std::uint32_t value);
  ir::ExprId i32(std::int32_t value);
  ir::ExprId f32(float value);
  ir::ExprId symbol(std::uint32_t index);
  ir::ExprId variable(std::uint32_t index);
  ir::ExprId id(ir::IdKind kind, std::uint32_t axis);
  ir::ExprId length(std::uint32_t buffer);
  ir::ExprId load(std::uint32_t buffer, ir::ExprId index, std::uint8_t width = 1);
  // A table operation; the type is that of its first operand, or bool for comparisons.
  ir::ExprId op(ir::Op op, std::initializer_list<ir::ExprId> operands);

  ir::StmtId stmt(ir::Stmt stmt);
  ir::StmtId let(std::string name, ir::Type type, ir::ExprId value, bool is_mutable = false);
  ir::StmtId assign(std::uint32_t variable, ir::ExprId value);
  ir::StmtId store(std::uint32_t buffer, std::array<ir::ExprId, 2> index_and_value);
  ir::StmtId if_(ir::ExprId condition, ir::Block body, ir::Block otherwise = {});
  ir::StmtId while_(std::array<ir::ExprId, 2> condition_and_limit, ir::Block body);
  ir::StmtId barrier();
  ir::StmtId return_();

 private:
  ir::Program& program_;
};

// program sample {
//   shape n: u32
//   scalar a: f32
//   tunable t: u32 = 8u
//   read x: f32[n]
//   read_write y: f32[n]
//   write count: u32[4u]
//   local tile: f32[t]
//   private acc: f32[4u]
//   workgroup [t, 2u]
//   grid [length(x) / t]
//
//   let i: u32 = global_id(0)
//   var s: f32 = 0f
//   tile[local_id(0)] = x[i]
//   barrier
//   for k: u32 in 0u .. 4u step 2u unroll t {
//     s = s + acc[k]
//   }
//   while s < a limit 10u {
//     s = s + 1f
//   }
//   if i < n {
//     y[i] = s
//   } else {
//     return
//   }
//   let old: u32 = atomic_add(count, 0u, 1u)
//   atomic_compare_exchange(count, 1u, 3u, 2u)
//   let v: f32x4 = x.x4[0u]
//   region "end" {
//     y[1u] = v.1
//   }
// }
struct Sample {
  ir::Program program;
  // Places to break.
  ir::StmtId let_i = ir::kNone;
  ir::StmtId let_s = ir::kNone;
  ir::StmtId store_tile = ir::kNone;
  ir::StmtId barrier = ir::kNone;
  ir::StmtId add_acc = ir::kNone;
  ir::StmtId loop = ir::kNone;
  ir::StmtId while_loop = ir::kNone;
  ir::StmtId store_y = ir::kNone;
  ir::StmtId leave = ir::kNone;
  ir::StmtId branch = ir::kNone;
  ir::StmtId count_up = ir::kNone;
  ir::StmtId compare = ir::kNone;
  ir::StmtId let_v = ir::kNone;
  ir::StmtId store_end = ir::kNone;
  ir::StmtId region = ir::kNone;

  enum Symbol : std::uint32_t { n, a, t };
  enum Buffer : std::uint32_t { x, y, count, tile, acc };
  enum Variable : std::uint32_t { i, s, k, old, v };

  ir::Stmt& at(ir::StmtId id) { return program.stmts[id]; }
  ir::Expr& expr(ir::ExprId id) { return program.exprs[id]; }
  // Operand `n` of a statement.
  ir::Expr& arg(ir::StmtId id, std::size_t number) { return expr(at(id).args[number]); }
};

Sample sample();

// The sample and a second program, `finish`, with scratch between them and a repeat.
ir::SequenceDef sample_sequence();

}  // namespace vyre::testing
