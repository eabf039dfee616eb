// Each pattern that loses its guards, beside near misses that must keep theirs.

#include "emit/bounds/proofs.h"

#include <gtest/gtest.h>

#include "emit/c_like/starting_zeros.h"
#include "ir/fold.h"
#include "ir/ops.h"
#include "vyre/ir.h"

namespace vyre::emit {
namespace {

struct Case {
  std::string declarations;  // of buffers and symbols; x is what is accessed
  std::string body;
  std::string guarded;  // the accesses that keep their guards, in the order of the nodes
};

ir::Program program_of(const Case& c) {
  auto program = ir::parse_program("program p {\n" + c.declarations + "\n" + c.body + "\n}\n");
  EXPECT_TRUE(program) << program.error().message << "\n" << c.body;
  if (!program) return {};
  for (const Error& error : ir::validate(*program))
    ADD_FAILURE() << error.message << "\n" << c.body;
  return *std::move(program);
}

Proofs proofs_of(const ir::Program& program) {
  std::array<std::uint32_t, 3> workgroup{64, 1, 1};
  const auto symbols = ir::default_bits(program.symbols);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (program.workgroup[axis] == ir::kNone) continue;
    workgroup[axis] =
        static_cast<std::uint32_t>(*ir::fold(program, program.workgroup[axis], symbols));
  }
  return prove(program, symbols, workgroup);
}

// "x[i] x[k + 1u]": loads first, then stores and atomics.
std::string guarded_accesses(const ir::Program& program) {
  const Proofs proofs = proofs_of(program);
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

void expect_guards(std::span<const Case> table) {
  for (const Case& c : table) EXPECT_EQ(guarded_accesses(program_of(c)), c.guarded) << c.body;
}

const std::string kVector = "shape n: u32 scalar s: u32 scalar d: i32 read_write x: u32[n]\n";
const std::string kMatrix =
    "shape n: u32 shape m: u32 shape p: u32 scalar s: u32 read_write x: u32[n * m]\n";

TEST(Proofs, Conditions) {
  const Case table[] = {
      {kVector, "if s < n { x[s] = 1u }", ""},
      {kVector, "if s <= n { x[s] = 1u }", "x[s]"},
      {kVector, "if n > s { x[s] = 1u }", ""},
      {kVector, "if n >= s { x[s] = 1u }", "x[s]"},
      {kVector, "if s < n { } else { x[s] = 1u }", "x[s]"},
      {kVector, "if s >= n { } else { x[s] = 1u }", ""},
      {kVector, "if s > n { } else { x[s] = 1u }", "x[s]"},
      {kVector, "if !(s >= n) { x[s] = 1u }", ""},
      {kVector, "if s < n { } x[s] = 1u", "x[s]"},
      {kVector, "if s >= n { return } x[s] = 1u", ""},
      {kVector, "if s > n { return } x[s] = 1u", "x[s]"},
      {kVector, "if s >= n { if n > 1u { return } } x[s] = 1u", "x[s]"},
      {kVector, "if s >= n { if n > 1u { return } else { return } } x[s] = 1u", ""},
      {kVector, "if s < n { x[0u] = 1u } else { return } x[s] = 1u", ""},
      {kVector, "region \"check\" { if s >= n { return } } x[s] = 1u", ""},
      {kVector, "for k: u32 in 0u .. 4u { if s >= n { return } } x[s] = 1u", "x[s]"},
      {kVector, "if s < n & d > 0i { x[s] = 1u }", ""},
      {kVector, "if s < n | d > 0i { x[s] = 1u }", "x[s]"},
      {kVector, "if s >= n | d > 0i { return } x[s] = 1u", ""},
      {kVector, "if s >= n & d > 0i { return } x[s] = 1u", "x[s]"},
      {kVector, "let inside: bool = s < n if inside { x[s] = 1u }", ""},
      {kVector, "var inside: bool = s < n inside = true if inside { x[s] = 1u }", "x[s]"},
      {kVector, "if s == n - 1u { x[s] = 1u }", ""},
      {kVector, "if s != n - 1u { x[s] = 1u }", "x[s]"},
      {kVector, "if s == 0u { return } x[s - 1u] = 1u", "x[s - 1u]"},
      {kVector, "if s == 0u | s > n { return } x[s - 1u] = 1u", ""},
      {kVector, "let v: u32 = select(s < n, x[s], 0u)", ""},
      {kVector, "let v: u32 = select(s < n, 0u, x[s])", "x[s]"},
  };
  expect_guards(table);
}

TEST(Proofs, SumsThatMayWrap) {
  const Case table[] = {
      // With workgroups of 64 the largest id is 2^32 - 65, and 64 more is a number still.
      {kVector, "let i: u32 = global_id(0) if i + 64u < n { x[i] = x[i + 64u] }", ""},
      {kVector, "let i: u32 = global_id(0) if i + 65u < n { x[i] = x[i + 65u] }", "x[i]"},
      {kVector, "if s + 1u < n { x[s + 1u] = 1u }", ""},
      {kVector, "if s + 1u < n { x[s] = 1u }", "x[s]"},
      {kVector, "if s < n { x[s + 1u] = 1u }", "x[s + 1u]"},
      {kVector, "if s < n - 1u { x[s + 1u] = 1u }", ""},
      {kVector, "if s < n - 2u { x[s] = 1u }", "x[s]"},
      {kVector, "if s < n { x[s - 1u] = 1u }", "x[s - 1u]"},
      {kVector, "if s < n & s > 0u { x[s - 1u] = 1u }", ""},
      {kVector, "if s < n { x[n - 1u - s] = 1u }", ""},
      {kVector, "if s <= n { x[n - s] = 1u }", "x[n - s]"},
      {kVector, "if s * 4u < n { x[s] = 1u }", "x[s]"},
      {kVector, "if u64(s) * 4ul < u64(n) { x[s] = 1u }", ""},
      {kVector, "if u64(s) * 4ul < u64(n) { x[s * 4u] = 1u }", ""},
      {kVector, "if u64(s) + 4ul < u64(n) { x[s + 5u] = 1u }", "x[s + 5u]"},
      {kVector, "if d < i32(n) { x[d] = 1u }", "x[d]"},
      {kVector, "if d >= 0i & d < i32(n) { x[d] = 1u }", "x[d]"},
      {kVector, "if d >= 0i & i64(d) < i64(n) { x[d] = 1u }", ""},
      {kVector, "if d > -2i & i64(d) < i64(n) { x[d] = 1u }", "x[d]"},
      {kVector, "if u32(d) < n { x[u32(d)] = 1u }", ""},
  };
  expect_guards(table);
}

TEST(Proofs, Loops) {
  const Case table[] = {
      {kVector, "for k: u32 in 0u .. n { x[k] = 1u }", ""},
      {kVector, "for k: u32 in 0u .. n + 1u { x[k] = 1u }", "x[k]"},
      {kVector, "for k: u32 in 1u .. n { x[k - 1u] = x[k] }", ""},
      {kVector, "for k: u32 in 0u .. n { x[k - 1u] = x[k] }", "x[k - 1u]"},
      {kVector, "for k: u32 in 0u .. n - 1u { x[k + 1u] = 1u }", ""},
      {kVector, "for k: u32 in 0u .. n { x[k + 1u] = 1u }", "x[k + 1u]"},
      {kVector, "for k: u32 in local_id(0) .. n step 64u { x[k] = 1u }", ""},
      {kVector, "for k: u32 in global_id(0) .. n step global_size(0) { x[k] = 1u }", ""},
      {kVector, "for k: i32 in 0i .. d { x[k] = 1u }", "x[k]"},
      {kVector, "for k: i64 in 0l .. i64(n) { x[k] = 1u }", ""},
      {kVector, "for k: i64 in -1l .. i64(n) { x[k] = 1u }", "x[k]"},
      {kVector, "for k: u32 in 0u .. n / 4u { x[k * 4u + 3u] = 1u }", ""},
      {kVector, "for k: u32 in 0u .. n / 4u { x[k * 4u + 4u] = 1u }", "x[k * 4u + 4u]"},
      {kVector, "for k: u32 in 0u .. n >> 2u { x[k << 2u] = 1u }", ""},
      {kVector, "for k: u32 in 0u .. n >> 1u { x[k << 2u] = 1u }", "x[k << 2u]"},
      {kVector, "var e: u32 = n for k: u32 in 0u .. e { e = 5u x[k] = 1u }", ""},
      {kVector, "var e: u32 = s for k: u32 in 0u .. e { e = n x[k] = 1u }", "x[k]"},
      {kVector, "var i: u32 = 0u while i < n limit n { x[i] = 1u i = i + 1u }", ""},
      {kVector, "var i: u32 = 0u while i < n limit n { i = i + 1u x[i] = 1u }", "x[i]"},
      {kVector, "var i: u32 = 0u while i <= n limit n { x[i] = 1u i = i + 1u }", "x[i]"},
      {kVector, "var i: u32 = 0u while s < n limit n { x[i] = 1u i = i + 1u }", "x[i]"},
  };
  expect_guards(table);
}

TEST(Proofs, MutableVariables) {
  const Case table[] = {
      {kVector, "var i: u32 = s if i < n { x[i] = 1u }", ""},
      {kVector, "var i: u32 = s if i < n { i = i + 1u x[i] = 1u }", "x[i]"},
      {kVector, "var i: u32 = s if i < n { i = 0u x[i] = 1u }", ""},
      {kVector, "var i: u32 = 0u if s < n { i = s } x[i] = 1u", "x[i]"},
      {kVector, "var i: u32 = s if s < n { if d > 0i { i = 9u } x[i] = 1u }", "x[i]"},
      {kVector, "var i: u32 = s if s < n { if d > 0i { } else { i = 9u } x[i] = 1u }", "x[i]"},
      {kVector, "var i: u32 = s if s < n { if d > 0i { i = 9u } else { x[i] = 1u } }", ""},
      {kVector, "var i: u32 = s if i < n { for k: u32 in 0u .. 2u { x[i] = 1u i = i + 1u } }",
       "x[i]"},
      {kVector, "var i: u32 = s if i < n { for k: u32 in 0u .. 2u { i = i + 1u } x[i] = 1u }",
       "x[i]"},
      {kVector, "var i: u32 = s if i < n { for k: u32 in 0u .. 2u { x[i] = 1u } }", ""},
      {kVector, "let old: u32 = atomic_add(x, 0u, 1u) if old < n { x[old] = 1u }", ""},
      {kVector, "var i: u32 = x[0u] if x[0u] < n { x[i] = 1u }", "x[i]"},
  };
  expect_guards(table);
}

TEST(Proofs, ProductsOfSizes) {
  const std::string cube =
      "shape n: u32 shape m: u32 shape p: u32 read_write x: u32[n * m * p]\n"
      "let i: u32 = global_id(0) let j: u32 = global_id(1) let k: u32 = global_id(2)\n";
  const std::string ids = "let i: u32 = global_id(0) let k: u32 = global_id(1)\n";
  const Case table[] = {
      {kMatrix, ids + "if i < n & k < m { x[i * m + k] = 1u }", ""},
      {kMatrix, ids + "if i < n & k <= m { x[i * m + k] = 1u }", "x[i * m + k]"},
      {kMatrix, ids + "if i <= n & k < m { x[i * m + k] = 1u }", "x[i * m + k]"},
      {kMatrix, ids + "if i < n & k < m { x[i * n + k] = 1u }", "x[i * n + k]"},
      {kMatrix, ids + "if i < n & k < m { x[k * n + i] = 1u }", ""},
      {kMatrix, ids + "if i < n { for j: u32 in 0u .. m { x[i * m + j] = 1u } }", ""},
      {kMatrix, ids + "if i < n { for j: u32 in 0u .. m - 1u { x[i * m + j + 1u] = 1u } }", ""},
      {kMatrix, ids + "if i < n { for j: u32 in 0u .. m { x[i * m + j + 1u] = 1u } }",
       "x[i * m + j + 1u]"},
      {kMatrix, ids + "if i < n * m { x[i] = 1u }", ""},
      {kMatrix, ids + "if i < n * p { x[i] = 1u }", "x[i]"},
      {kMatrix, ids + "if i < n * m { x[i / m * m + i % m] = 1u }", ""},
      {kMatrix,
       ids + "if i < n * m { let r: u32 = i / m for j: u32 in 0u .. m { x[r * m + j] = 1u } }", ""},
      {kMatrix,
       ids + "if i < n * m { let r: u32 = i / n for j: u32 in 0u .. m { x[r * m + j] = 1u } }",
       "x[r * m + j]"},
      {cube, "if i < n & j < m & k < p { x[(i * m + j) * p + k] = 1u }", ""},
      {cube, "if i < n & j < m & k < p { x[i * m * p + j * p + k] = 1u }", ""},
      {cube, "if i < n & j < m & k < p { x[(i * m + j) * p + k + 1u] = 1u }",
       "x[(i * m + j) * p + k + 1u]"},
      {cube, "if i < n & j < p & k < m { x[(i * m + j) * p + k] = 1u }", "x[(i * m + j) * p + k]"},
      {"shape n: u32 read_write x: u32[n * n]", ids + "if i < n & k < n { x[i * n + k] = 1u }", ""},
      {"shape n: u32 read_write x: u32[n]", ids + "if i < n & k < n { x[i * n + k] = 1u }",
       "x[i * n + k]"},
  };
  expect_guards(table);
}

TEST(Proofs, IdsConstantsAndBits) {
  const std::string tile = "tunable t: u32 = 16u local x: u32[t * t] workgroup [t, t]\n";
  const std::string ids = "let a: u32 = local_id(0) let b: u32 = local_id(1)\n";
  const std::string local = "scalar s: u32 scalar d: i32 local x: u32[64u]\n";
  const Case table[] = {
      {tile, ids + "x[b * t + a] = 1u", ""},
      {tile, ids + "x[b * t + a + 1u] = 1u", "x[b * t + a + 1u]"},
      {tile, ids + "x[(b + 1u) * t + a] = 1u", "x[(b + 1u) * t + a]"},
      {tile, ids + "for k: u32 in 0u .. t { x[b * t + k] = x[k * t + a] }", ""},
      {tile, ids + "for k: u32 in 0u .. t + 1u { x[b * t + k] = 1u }", "x[b * t + k]"},
      {local, "x[local_id(0)] = 1u", ""},
      {local, "x[local_id(0) + 1u] = 1u", "x[local_id(0) + 1u]"},
      {local, "x[63u - local_id(0)] = 1u", ""},
      {local, "x[62u - local_id(0)] = 1u", "x[62u - local_id(0)]"},
      {local, "x[local_id(1)] = 1u", ""},
      {local, "x[group_id(0)] = 1u", "x[group_id(0)]"},
      {local, "x[s % 64u] = 1u", ""},
      {local, "x[s % 65u] = 1u", "x[s % 65u]"},
      {local, "x[s & 63u] = 1u", ""},
      {local, "x[s & 64u] = 1u", "x[s & 64u]"},
      {local, "x[s >> 26u] = 1u", ""},
      {local, "x[s >> 25u] = 1u", "x[s >> 25u]"},
      {local, "x[min(s, 63u)] = 1u", ""},
      {local, "x[min(s, 64u)] = 1u", "x[min(s, 64u)]"},
      {local, "x[max(s, 63u)] = 1u", "x[max(s, 63u)]"},
      {local, "x[max(min(s, 63u), 1u)] = 1u", ""},
      {local, "x[d % 64i] = 1u", "x[d % 64i]"},
      {local, "x[max(0i, min(d, 63i))] = 1u", ""},
      {local, "x[min(d, 63i)] = 1u", "x[min(d, 63i)]"},
      {local, "x[select(s > 5u, 63u, s)] = 1u", ""},
      {local, "x[select(s > 5u, 64u, s)] = 1u", "x[select(s > 5u, 64u, s)]"},
      {local, "x[popcount(s)] = 1u", "x[popcount(s)]"},
      {kVector, "x[s % n] = 1u", ""},
      {kVector, "x[s % (n + 1u)] = 1u", "x[s % (n + 1u)]"},
      {kVector, "x[s % length(x)] = 1u", ""},
      {kVector, "x[min(s, n - 1u)] = 1u", ""},
      {kVector, "x[min(s, n)] = 1u", "x[min(s, n)]"},
      {kVector, "if group_id(0) * 64u + local_id(0) < n { x[global_id(0)] = 1u }", ""},
      {kVector, "if global_id(0) < n { x[group_id(0) * 64u + local_id(0)] = 1u }", ""},
      {kVector, "if global_id(0) < n { x[group_id(0) * 65u + local_id(0)] = 1u }",
       "x[group_id(0) * 65u + local_id(0)]"},
      {"write x: u32[4u]", "x[3u] = 1u", ""},
      {"tunable t: u32 = 4u write x: u32[t]", "x[t - 1u] = 1u", ""},
      {"write x: u32[1u]", "x[groups(0) - 1u] = 1u", "x[groups(0) - 1u]"},
  };
  expect_guards(table);
}

TEST(Proofs, Vectors) {
  const std::string f = "shape n: u32 scalar s: u32 read_write x: f32[n]\n";
  const Case table[] = {
      {f, "if s < n / 4u { x.x4[s] = x.x4[s] }", ""},
      {f, "if s <= n / 4u { x.x4[s] = f32x4(0f, 0f, 0f, 0f) }", "x[s]"},
      {f, "if s < n / 4u { x.x2[s] = f32x2(0f, 0f) }", ""},
      {f, "if s < n / 2u { x.x4[s] = f32x4(0f, 0f, 0f, 0f) }", "x[s]"},
      {f, "if s < n { x.x4[s] = f32x4(0f, 0f, 0f, 0f) }", "x[s]"},
      {"shape n: u32 scalar s: u32 read_write x: f32[n * 4u]",
       "if s < n { x.x4[s] = f32x4(0f, 0f, 0f, 0f) }", ""},
      {"shape n: u32 scalar s: u32 read_write x: f32[n * 4u - 1u]",
       "if s < n { x.x4[s] = f32x4(0f, 0f, 0f, 0f) }", "x[s]"},
  };
  expect_guards(table);
}

TEST(Proofs, StartingZerosOfLocalArrays) {
  struct Zeros {
    std::string body;
    bool seen;
  };
  const std::string store = "x[local_id(1) * 8u + local_id(0)] = 1u ";
  const std::string use = "let v: u32 = x[s] ";
  const Zeros table[] = {
      {store, false},
      {store + "barrier " + use, false},
      {store + use + "barrier ", true},
      {store + use, true},
      {use + store + "barrier ", true},
      {"region \"a\" { " + store + "} barrier region \"b\" { " + use + "}", false},
      {"x[local_id(0) * 4u + local_id(1)] = 1u barrier " + use, true},
      {"x[local_id(1) * 8u + local_id(0)] = x[s] barrier ", true},
      {"atomic_add(x, local_id(1) * 8u + local_id(0), 1u) barrier ", true},
      {"if local_id(0) < 8u { " + store + "} barrier " + use, true},
      {"for k: u32 in 0u .. s { " + store + "barrier " + use + "barrier }", false},
      {"for k: u32 in 0u .. s { " + store + "barrier } " + use, true},
      {"for k: u32 in 0u .. s { barrier " + use + "barrier " + store + "}", true},
      {"if s > 3u { " + store + "barrier " + use + "} else { let w: u32 = x[s] }", true},
      {"if s > 3u { } else { " + store + "barrier " + use + "}", false},
      {"while x[0u] < 3u limit 2u { " + store + "}", true},
  };
  for (const auto& [body, seen] : table) {
    const ir::Program program =
        program_of({"scalar s: u32 local x: u32[32u] workgroup [8u, 4u]", body, ""});
    EXPECT_EQ(sees_starting_zeros(program, proofs_of(program), 0, 32, 32), seen) << body;
    EXPECT_EQ(sees_starting_zeros(program, proofs_of(program), 0, 33, 32), body != store) << body;
  }
}

// The operations that keep their guard against wrapping, division by 0 or too large a shift.
std::string guarded_operations(const ir::Program& program) {
  const Proofs proofs = proofs_of(program);
  std::string out;
  for (ir::ExprId id = 0; id < program.exprs.size(); ++id) {
    if (!ir::in_table(program.exprs[id].op) || proofs.plain[id]) continue;
    if (!out.empty()) out += " ";
    out += ir::print_expr(program, id);
  }
  return out;
}

TEST(Proofs, Operations) {
  const Case table[] = {
      {kVector, "let v: u32 = s / 3u", ""},
      {kVector, "let v: u32 = s / n", ""},
      {kVector, "let v: u32 = s % s", "s % s"},
      {kVector, "let v: i32 = d / 3i", ""},
      {kVector, "let v: i32 = d / -2i", ""},
      {kVector, "let v: i32 = d / -1i", "d / -1i"},
      {kVector, "let v: i32 = d % 0i", "d % 0i"},
      {kVector, "let v: i32 = d << 31u", ""},
      {kVector, "let v: i32 = d << 32u", "d << 32u"},
      {kVector, "let v: u64 = u64(s) >> 32u", ""},
      {kVector, "let v: u32 = s >> s", "s >> s"},
      {kVector, "let v: u64 = u64(s) * u64(n)", ""},
      {kVector, "let v: u32 = s * n", "s * n"},
      {kVector, "let v: i32 = d + 1i", "d + 1i"},
      {kVector, "let v: i64 = i64(d) + 1l", ""},
      {kVector, "let v: i64 = -(i64(d))", ""},
      {kVector, "let v: i32 = -d", "-d"},
  };
  for (const Case& c : table) EXPECT_EQ(guarded_operations(program_of(c)), c.guarded) << c.body;
}

TEST(Proofs, LoopsThatCountUp) {
  struct Loop {
    std::string bounds;
    bool counts_up;
  };
  const Loop table[] = {
      {"u32 in 0u .. n", true},
      {"u32 in s .. 4294967295u", true},
      {"u32 in 0u .. 100u step 7u", true},
      {"u32 in 0u .. n step 2u", false},  // n may be the largest number
      {"u32 in 0u .. n / 2u step 2u", true},
      {"u32 in 0u .. 100u step s", false},  // s may be 0
      {"u32 in 0u .. 100u step max(s, 1u)", false},
      {"u32 in 0u .. 100u step min(max(s, 1u), 8u)", true},
      {"i32 in -5i .. d", true},
      {"i32 in -5i .. d step 2i", false},
      {"i32 in 0i .. 10i step -1i", false},
  };
  for (const auto& [bounds, counts_up] : table) {
    const ir::Program program = program_of({kVector, "for k: " + bounds + " { }", ""});
    EXPECT_EQ(proofs_of(program).counts_up[program.body[0]], counts_up) << bounds;
  }
}

}  // namespace
}  // namespace vyre::emit
