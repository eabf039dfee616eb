// More patterns and near misses: ids, constants, bits, vectors, zeros of local arrays, and
// operations and loops for which C's own operators give the right value.

#include "emit/c_like/starting_zeros.h"
#include "testing/proof_cases.h"

namespace vyre::bounds {
namespace {

using testing::expect_guards;
using testing::kVector;
using testing::program_of;
using testing::ProofCase;
using testing::proofs_of;

TEST(Proofs, IdsConstantsAndBits) {
  const std::string tile = "tunable t: u32 = 16u local x: u32[t * t] workgroup [t, t]\n";
  const std::string ids = "let a: u32 = local_id(0) let b: u32 = local_id(1)\n";
  const std::string local = "scalar s: u32 scalar d: i32 local x: u32[64u]\n";
  const ProofCase table[] = {
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
  const ProofCase table[] = {
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
    EXPECT_EQ(emit::sees_starting_zeros(program, proofs_of(program), 0, 32, 32), seen) << body;
    EXPECT_EQ(emit::sees_starting_zeros(program, proofs_of(program), 0, 33, 32), body != store)
        << body;
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
  const ProofCase table[] = {
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
  for (const ProofCase& c : table)
    EXPECT_EQ(guarded_operations(program_of(c)), c.guarded) << c.body;
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
}  // namespace vyre::bounds
