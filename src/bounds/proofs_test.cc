// Patterns that need no guards, each beside near misses that need them: conditions, sums that wrap,
// loops, variables that change, products of sizes.

#include "testing/proof_cases.h"

namespace vyre::bounds {
namespace {

using testing::expect_guards;
using testing::kMatrix;
using testing::kVector;
using testing::ProofCase;

TEST(Proofs, Conditions) {
  const ProofCase table[] = {
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
  const ProofCase table[] = {
      // With workgroups of 64 the largest id is 2^32 - 65, so adding 64 does not wrap.
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
  const ProofCase table[] = {
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
  const ProofCase table[] = {
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
  const ProofCase table[] = {
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

}  // namespace
}  // namespace vyre::bounds
