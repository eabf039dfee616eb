#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <random>

#include "vyre/program.h"

namespace vyre::ir {
namespace {

Fingerprint print_of(const std::string& text) {
  const auto program = parse_program(text);
  EXPECT_TRUE(program.has_value()) << program.error().message << "\n" << text;
  return program ? fingerprint(*program) : Fingerprint{};
}

// A program around the statements: bound x, y and k, local s and t, private p.
std::string with_body(const std::string& body) {
  return "program test {\n  shape n: u32\n  shape m: u32\n  scalar a: f32\n"
         "  tunable tile: u32 = 4u\n  read x: f32[n]\n  read_write y: f32[n]\n"
         "  read_write k: u32[m]\n  local s: f32[64u]\n  local t: f32[64u]\n"
         "  private p: f32[tile]\n\n" +
         body + "\n}\n";
}

struct Texts {
  const char* what;
  std::vector<std::string> texts;
};

// clang-format off
const std::vector<Texts> kEqualPrograms = {
    {"names of everything but tunables",
     {"program f { shape n: u32 scalar a: f32 tunable t: u32 = 2u read x: f32[n] write y: f32[n]\n"
      "local s: f32[t] let i: u32 = global_id(0) s[0u] = a y[i] = x[i] }",
      "program g { shape m: u32 scalar b: f32 tunable t: u32 = 2u read y: f32[m] write x: f32[m]\n"
      "local q: f32[t] let j: u32 = global_id(0) q[0u] = b x[j] = y[j] }"}},
    {"the declared workgroup size",
     {"program f { shape n: u32 tunable w: u32 = 64u write y: u32[n] }",
      "program f { shape n: u32 tunable w: u32 = 64u write y: u32[n] workgroup [128u, 2u, 1u] }",
      "program f { shape n: u32 tunable w: u32 = 64u write y: u32[n] workgroup [w, _, 2u * w] }",
      "program f { shape n: u32 tunable w: u32 = 32u write y: u32[n] workgroup [w] }"}},
    {"order of tunables, of them and others, of arrays and others",
     {"program f { shape n: u32 tunable a: u32 = 1u tunable b: u32 = 2u write y: u32[n]\n"
      "local s: u32[8u] private t: u32[9u] s[0u] = a t[0u] = b y[0u] = s[1u] + t[1u] }",
      "program f { tunable b: u32 = 2u shape n: u32 tunable a: u32 = 1u private t: u32[9u]\n"
      "local s: u32[8u] write y: u32[n] s[0u] = a t[0u] = b y[0u] = s[1u] + t[1u] }"}},
    {"order of arrays of one type, written or not",
     {"program f { write y: u32[9u] local a: u32[8u] local b: u32[8u] local c: u32[8u]\n"
      "local d: u32[7u] a[0u] = 1u b[0u] = 2u y[0u] = a[0u] - b[0u] + c[0u] }",
      "program f { write y: u32[9u] local d: u32[7u] local b: u32[8u] local c: u32[8u]\n"
      "local a: u32[8u] a[0u] = 1u b[0u] = 2u y[0u] = a[0u] - b[0u] + c[0u] }"}},
};
// clang-format on

TEST(Fingerprint, DoesNotCount) {
  for (const auto& [what, texts] : kEqualPrograms) {
    for (const std::string& text : texts) EXPECT_EQ(print_of(text), print_of(texts[0])) << what;
  }
}

// clang-format off
const std::vector<Texts> kEqualBodies = {
    {"independent lets", {"let a1: u32 = n let b1: u32 = m k[0u] = a1 - b1",
                          "let b1: u32 = m let a1: u32 = n k[0u] = a1 - b1"}},
    {"independent lets with loads", {"let b: f32 = x[0u] let c: f32 = y[1u] y[0u] = b / c",
                                     "let c: f32 = y[1u] let b: f32 = x[0u] y[0u] = b / c"}},
    {"lets of which some use others",
     {"let b: u32 = n let c: u32 = b + 1u let d: u32 = m let e: u32 = d + c k[0u] = c - e",
      "let d: u32 = m let b: u32 = n let c: u32 = b + 1u let e: u32 = d + c k[0u] = c - e",
      "let b: u32 = n let d: u32 = m let c: u32 = b + 1u let e: u32 = d + c k[0u] = c - e"}},
    {"lets of the same value", {"let b: u32 = n let c: u32 = n k[0u] = b - c * 2u",
                                "let c: u32 = n let b: u32 = n k[0u] = b - c * 2u"}},
    {"variables that start alike",
     {"var b: u32 = 0u var c: u32 = 0u for i: u32 in 0u .. n { b = b + c c = i } k[0u] = b - c",
      "var c: u32 = 0u var b: u32 = 0u for i: u32 in 0u .. n { b = b + c c = i } k[0u] = b - c"}},
    {"lets and variables",
     {"var b: u32 = 1u let d: u32 = n b = d k[0u] = b",
      "let d: u32 = n var b: u32 = 1u b = d k[0u] = b"}},
    {"lets inside of statements",
     {"if n < m { let b: u32 = n let c: u32 = m k[b] = c } else { let d: u32 = 1u let e: u32 = n\n"
      "k[e] = d }",
      "if n < m { let c: u32 = m let b: u32 = n k[b] = c } else { let e: u32 = n let d: u32 = 1u\n"
      "k[e] = d }"}},
    {"lets that load from arrays",
     {"let b: f32 = s[0u] let c: f32 = t[0u] s[1u] = b - c t[1u] = c",
      "let c: f32 = t[0u] let b: f32 = s[0u] s[1u] = b - c t[1u] = c",
      "let c: f32 = s[0u] let b: f32 = t[0u] t[1u] = b - c s[1u] = c"}},
    {"results of atomics", {"let o: u32 = atomic_add(k, 0u, 1u) k[1u] = o",
                            "let old: u32 = atomic_add(k, 0u, 1u) k[1u] = old"}},
    {"names of regions", {"region \"a\" { k[0u] = 1u }", "region \"b\" { k[0u] = 1u }"}},
    {"a variable that nobody writes is a let",
     {"var b: u32 = n k[0u] = b", "let b: u32 = n k[0u] = b"}},
};
// clang-format on

TEST(Fingerprint, DoesNotCountInBodies) {
  for (const auto& [what, bodies] : kEqualBodies) {
    const Fingerprint first = print_of(with_body(bodies[0]));
    for (const std::string& body : bodies) EXPECT_EQ(print_of(with_body(body)), first) << what;
  }
}

// All of them differ from each other.
// clang-format off
const std::vector<std::string> kDifferentBodies = {
    "", "barrier", "return", "barrier barrier", "region \"\" {}", "region \"\" {} barrier",
    "region \"\" { barrier }", "if n < m {}", "if n < m { barrier }",
    "if n < m {} else { barrier }", "if n < m {} barrier", "if n <= m {}", "if m < n {}",
    "k[0u] = 1u", "k[0u] = 2u", "k[1u] = 1u", "k[1u] = 0u", "k[0u] = n", "k[0u] = m",
    "k[0u] = tile", "k[0u] = u32(a)", "k[0u] = bits_u32(a)", "k[0u] = length(k)",
    "k[0u] = length(x)", "k.x2[0u] = u32x2(1u, 2u)", "k.x2[0u] = u32x2(2u, 1u)",
    "k.x4[0u] = k.x4[1u]", "k.x2[0u] = k.x2[1u]", "k[0u] = k.x2[1u].0", "k[0u] = k.x2[1u].1",
    "k[0u] = k.x4[1u].0", "y[0u] = 0f", "y[0u] = -0f", "y[0u] = f32(0x7fc00000)",
    "y[0u] = f32(0x7fc00001)", "y[0u] = x[0u]", "y[0u] = y[0u]", "y[0u] = s[0u]", "y[0u] = p[0u]",
    "y[0u] = a", "s[0u] = a", "p[0u] = a", "s[0u] = a t[0u] = a", "s[0u] = a s[0u] = a",
    "s[0u] = a y[0u] = t[0u]", "s[0u] = a y[0u] = s[0u]",
    // A value loaded before a store differs from a value loaded after the store.
    "let b: f32 = y[0u] y[0u] = a let c: f32 = y[0u] y[1u] = b",
    "let b: f32 = y[0u] y[0u] = a let c: f32 = y[0u] y[1u] = c",
    "let b: f32 = y[0u] let c: f32 = y[0u] y[0u] = a y[1u] = b",
    "y[0u] = a let b: f32 = y[0u] y[1u] = b", "let b: f32 = y[0u] y[0u] = a y[1u] = b",
    "let b: u32 = n let c: u32 = m k[0u] = b - c", "let b: u32 = n let c: u32 = m k[0u] = c - b",
    "let b: u32 = n let c: u32 = m k[0u] = b - b", "let b: u32 = n let c: u32 = b k[0u] = b - c",
    "let b: u32 = n let c: u32 = n k[0u] = b - c", "let b: u32 = n k[0u] = b - b", "k[0u] = n - n",
    // Two variables with equal first values are still two, also where a loop comes back to a use.
    "var b: u32 = 0u var c: u32 = 0u for i: u32 in 0u .. n { k[i] = b b = i c = i }",
    "var b: u32 = 0u var c: u32 = 0u for i: u32 in 0u .. n { k[i] = c b = i c = i }",
    "var b: u32 = 0u var c: u32 = 0u for i: u32 in 0u .. n { k[i] = b b = i } c = 0u",
    "var b: u32 = 0u var c: u32 = 0u for i: u32 in 0u .. n { k[i] = c b = i } c = 0u",
    "var b: u32 = 0u b = 1u k[0u] = b", "var b: u32 = 0u k[0u] = b b = 1u",
    "var b: u32 = 1u b = 0u k[0u] = b", "var b: u32 = 1u var c: u32 = 2u b = b - c c = b k[0u] = c",
    "var b: u32 = 2u var c: u32 = 1u b = b - c c = b k[0u] = c", "for i: u32 in 0u .. n {}",
    "for i: u32 in 1u .. n {}", "for i: u32 in 0u .. m {}", "for i: u32 in 0u .. n step 2u {}",
    "for i: u32 in 0u .. n unroll 2u {}", "for i: u32 in 0u .. n unroll 4u {}",
    "for i: u32 in 0u .. n unroll tile {}", "for i: i32 in 0i .. 9i {}", "while n < m limit 8u {}",
    "while n < m limit 9u {}", "while m < n limit 8u {}",
    "for i: u32 in 0u .. n { for j: u32 in 0u .. n { k[i] = 0u } }",
    "for i: u32 in 0u .. n { for j: u32 in 0u .. n { k[j] = 0u } }",
    "for i: u32 in 0u .. n { for j: u32 in 0u .. n {} k[i] = 0u }", "atomic_add(k, 0u, 1u)",
    "atomic_add(k, 1u, 0u)", "atomic_min(k, 0u, 1u)", "atomic_max(k, 0u, 1u)",
    "atomic_exchange(k, 0u, 1u)", "atomic_compare_exchange(k, 0u, 1u, 2u)",
    "atomic_compare_exchange(k, 0u, 2u, 1u)", "let o: u32 = atomic_add(k, 0u, 1u) k[1u] = o",
    "let q: u32 = n let o: u32 = atomic_add(k, 0u, 1u) k[1u] = q",
    "let q: u32 = n let o: u32 = atomic_add(k, 0u, 1u) k[1u] = o",
};
// clang-format on

TEST(Fingerprint, CountsEverythingElseInBodies) {
  std::map<Fingerprint, std::string> seen;
  for (const std::string& body : kDifferentBodies) {
    const auto [other, is_new] = seen.emplace(print_of(with_body(body)), body);
    EXPECT_TRUE(is_new) << "the same: " << body << "\n     and: " << other->second;
  }
}

// clang-format off
const std::vector<std::string> kDifferentPrograms = {
    "", "shape n: u32", "scalar n: u32", "scalar n: i32", "tunable n: u32 = 1u",
    "tunable m: u32 = 1u", "tunable n: i32 = 1i", "shape n: u32 shape m: u32",
    "shape n: u32 scalar m: u32", "scalar m: u32 shape n: u32",
    "tunable n: u32 = 1u tunable m: u32 = 1u", "read x: u32[1u]", "read x: i32[1u]",
    "read x: u32[2u]", "write x: u32[1u]", "read_write x: u32[1u]", "local x: u32[1u]",
    "private x: u32[1u]", "read x: u32[1u] read y: u32[2u]", "read y: u32[2u] read x: u32[1u]",
    "local x: u32[1u] local y: u32[1u]", "grid [1u]", "grid [2u]", "grid [1u, 2u]", "grid [2u, 1u]",
    "grid [_, 1u]", "shape n: u32 grid [n]", "shape n: u32 shape m: u32 grid [n]",
    "shape n: u32 shape m: u32 grid [m]", "shape n: u32 read x: u32[n]",
    "shape n: u32 shape m: u32 read x: u32[m]", "tunable n: u32 = 1u grid [n]",
    "tunable n: u32 = 2u grid [n]", "tunable n: u32 = 2u local s: u32[n]",
};
// clang-format on

TEST(Fingerprint, CountsEverythingElseInDeclarations) {
  std::map<Fingerprint, std::string> seen;
  for (const std::string& text : kDifferentPrograms) {
    const auto [other, is_new] = seen.emplace(print_of("program f { " + text + " }"), text);
    EXPECT_TRUE(is_new) << "the same: " << text << "\n     and: " << other->second;
  }
}

// Where nodes and variables lie in the vectors, and fields that a node's kind does not have.
TEST(Fingerprint, DoesNotCountHowAProgramIsStored) {
  const Program program = *parse_program(
      with_body("let b: u32 = n let c: u32 = m k[b] = c - b for i: u32 in 0u .. c { barrier }"));
  Program stored = program;
  const auto last_stmt = static_cast<StmtId>(program.stmts.size() - 1);
  const auto last_variable = static_cast<std::uint32_t>(program.variables.size() - 1);
  std::ranges::reverse(stored.stmts);
  std::ranges::reverse(stored.variables);
  for (StmtId& id : stored.body) id = last_stmt - id;
  for (Stmt& stmt : stored.stmts) {
    for (StmtId& id : stmt.body) id = last_stmt - id;
    if (stmt.variable != kNone) stmt.variable = last_variable - stmt.variable;
    if (stmt.kind == StmtKind::for_) stmt.buffer = 999;
    if (stmt.kind != StmtKind::store) continue;
    stmt.variable = stmt.unroll = stmt.args[2] = 999;
    stmt.body = stmt.otherwise = {999};
  }
  for (Expr& expr : stored.exprs) {
    if (expr.op == Op::variable) expr.index = last_variable - expr.index;
    if (expr.op == Op::sub) expr.index = 999;
    if (expr.op != Op::constant) expr.bits = 999;
    expr.args[3] = 999;
  }
  EXPECT_EQ(fingerprint(stored), fingerprint(program));
}

// Lets that use some of those before them, in any order in which none comes before what it uses.
TEST(Fingerprint, IsTheSameForEveryOrderOfManyLets) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::size_t count = 2 + below(30);
    std::vector<std::string> lets(count);
    std::vector<std::vector<std::size_t>> uses(count);
    for (std::size_t i = 0; i < count; ++i) {
      lets[i] = fmt::format("let v{}: u32 = k[{}u]", i, below(4));
      for (std::size_t n = below(3); i > 0 && n > 0; --n) {
        uses[i].push_back(below(i));
        lets[i] += fmt::format(" - v{}", uses[i].back());
      }
    }
    const auto text = [&] {
      std::vector<bool> done(count, false);
      std::string body;
      for (std::size_t left = count; left > 0;) {
        const std::size_t i = below(count);
        if (done[i] || !std::ranges::all_of(uses[i], [&](std::size_t u) { return done[u]; }))
          continue;
        body += lets[i] + "\n";
        done[i] = true;
        --left;
      }
      for (std::size_t i = 0; i < count; ++i) body += fmt::format("k[{}u] = v{}\n", i, i);
      return with_body(body);
    };
    const Fingerprint first = print_of(text());
    RC_ASSERT(print_of(text()) == first);
    lets[below(count)] += " + 1u";
    RC_ASSERT(print_of(text()) != first);
  }));
}

TEST(Fingerprint, TakesTheLargestPrograms) {
  std::string lets;
  for (int i = 0; i < 20'000; ++i) lets += fmt::format("let v{}: u32 = v{} + 1u\n", i + 1, i);
  std::string nested = "barrier";
  for (int i = 1; i < 63; ++i) nested = fmt::format("if n < {}u {{ {} }}", i, nested);
  EXPECT_NE(print_of(with_body("let v0: u32 = n " + lets)), print_of(with_body(nested)));
}

// Decisions on disk are found by it. If this fails, raise the encoding's version and say so in the
// change log: every decision made so far becomes a miss.
TEST(Fingerprint, StaysWhatItWas) {
  EXPECT_EQ(to_hex(print_of(with_body("let i: u32 = global_id(0) y[i] = a * x[i] + y[i]"))),
            "3fa397631ecc5d708fe08be7b22771ac005cab202463dfd725b6867fdb94ec78");
}

}  // namespace
}  // namespace vyre::ir
