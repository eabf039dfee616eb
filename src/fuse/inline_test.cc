// What inlining writes, and that it changes no bit.

#include "fuse/inline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/joined_chain.h"

namespace vyre::fuse::inline_tests {
namespace {

using testing::expect_same_bits;
using testing::JoinedChain;
using testing::text_of;

JoinedChain join_inlined(const std::string& text) { return testing::join_chain(text, join_inline); }

const std::vector<std::vector<Argument>> kSizes{
    {{"n", 1}}, {{"n", 2}}, {{"n", 7}}, {{"n", 64}}, {{"n", 129}}};

const std::string kAdd = R"(program add {
  shape n: u32
  tunable block: u32 = 4u
  tunable items: u32 = 1u
  read a: f32[n]
  read b: f32[n]
  write sum: f32[n]
  workgroup [block]
  grid [(n + block * items - 1u) / (block * items)]

  for k: u32 in 0u .. items unroll items {
    let i: u32 = global_id(0) * items + k
    if i < n {
      sum[i] = a[i] + b[i]
    }
  }
}
)";

const std::vector<Config> kItems{{{"items", std::int64_t{1}}, {"block", std::int64_t{4}}},
                                 {{"items", std::int64_t{3}}, {"block", std::int64_t{2}}},
                                 {{"items", std::int64_t{8}}, {"block", std::int64_t{16}}}};

TEST(Inline, Vadd) {
  const JoinedChain chain = join_inlined(kAdd + R"(sequence vadd {
  shape n: u32
  read w: f32[n]
  read y: f32[n]
  read z: f32[n]
  scratch t: f32[n]
  write x: f32[n]
  run add(w, y, t)
  run add(t, z, x)
})");
  EXPECT_EQ(text_of(chain), R"(program add_add {
  shape n: u32
  tunable block: u32 = 4u
  tunable items: u32 = 1u
  read z: f32[n]
  write x: f32[n]
  read w: f32[n]
  read y: f32[n]
  workgroup [block]
  grid [(n + block * items - 1u) / (block * items)]

  for step1_k: u32 in 0u .. items unroll items {
    let step1_i: u32 = global_id(0) * items + step1_k
    if step1_i < n {
      x[step1_i] = w[step1_i] + y[step1_i] + z[step1_i]
    }
  }
}
)");
  expect_same_bits(chain, kSizes, kItems);
}

TEST(Inline, ASquareIsComputedOnce) {
  const JoinedChain chain = join_inlined(kAdd + R"(
program square { shape n: u32 read t: f32[n] write y: f32[n]
  let i: u32 = global_id(0)
  if i < n { y[i] = t[i] * t[i] } }
sequence s { shape n: u32 read a: f32[n] read b: f32[n] scratch t: f32[n] write y: f32[n]
  run add(a, b, t) run square(t, y) })");
  EXPECT_EQ(text_of(chain), R"(program add_square {
  shape n: u32
  tunable fused_block: u32 = 64u
  write y: f32[n]
  read a: f32[n]
  read b: f32[n]
  workgroup [fused_block]
  grid [(n - 1u) / fused_block + 1u]

  let step1_i: u32 = global_id(0)
  if step1_i < n {
    let t_value: f32 = a[step1_i] + b[step1_i]
    y[step1_i] = t_value * t_value
  }
}
)");
  expect_same_bits(chain, kSizes, {{}, {{"fused_block", std::int64_t{3}}}});
}

// The consumer of a sum of a and b, as one statement.
JoinedChain after_sum(const std::string& statement, const std::string& more = "") {
  return join_inlined(kAdd + R"(
program use { shape n: u32 read t: f32[n] )" +
                      more + R"( write y: f32[n]
  let i: u32 = global_id(0)
  )" + statement +
                      R"( }
sequence s { shape n: u32 read a: f32[n] read b: f32[n] )" +
                      more + R"( scratch t: f32[n]
  write y: f32[n] run add(a, b, t) run use(t)" +
                      (more.empty() ? "" : ", p") + ", y) }");
}

TEST(Inline, LoadsOutsideAreZero) {
  struct Case {
    const char* name;
    const char* statement;
    const char* expected;
  };
  for (const auto& [name, statement, expected] : {
           Case{"next", "if i < n { y[i] = t[i + 1u] }",
                "y[step1_i] = select(step1_i + 1u < n, a[step1_i + 1u] + b[step1_i + 1u], 0f)\n"},
           Case{"signed", "if i < n { y[i] = t[i32(i) - 1i] }",
                "select(u64(t_index) < u64(n), a[u32(t_index)] + b[u32(t_index)], 0f)"},
           Case{"wide", "if i < n { y[i] = t[u64(i) * 4294967296ul] }",
                "select(t_index < u64(n), a[u32(t_index)]"},
           Case{"unguarded", "y[i] = t[i]", "select(step1_i < n"},
           Case{"in a select", "if i < n { y[i] = select(i > 0u, t[i - 1u], 3f) }",
                "select(step1_i > 0u, a[step1_i - 1u] + b[step1_i - 1u], 3f)"},
           Case{"constant", "if i < n { y[i] = t[0u] + t[3u] }", "select(3u < n"},
       }) {
    // A load of one element by all is not refused here, because the outputs are as many as the
    // inputs.
    const JoinedChain chain = after_sum(statement);
    EXPECT_NE(text_of(chain).find(expected), std::string::npos) << name << ": " << text_of(chain);
    expect_same_bits(chain, kSizes);
  }
}

TEST(Inline, GathersAndConditions) {
  for (const char* statement : {
           "if i < n { y[i] = t[p[i]] }",
           "if i < n { y[i] = t[p[i] % n] + t[p[i] % n] }",
           "if i < n { if p[i] < 3u { y[i] = t[i] } else { y[i] = t[i] * 2f } }",
           "if i < n { y[i] = t[i] * t[i] + t[i + 1u] * t[i + 1u] }",
           "if i < n { if t[p[i] & 3u] < 1f { y[i] = t[i] } else { y[i] = t[n - 1u - i] } }",
           "var s: f32 = 0f for k: u32 in 0u .. 3u { s = s + t[i + k] } y[i] = s",
           "var s: f32 = 0f while s < 4f limit 5u { s = s + t[i] } y[i] = s",
           "var s: f32 = 0f for k: u32 in 0u .. 2u { for q: u32 in u32(t[i]) & 1u .. 3u { "
           "s = s + f32(q) } } y[i] = s",
           "if i < n { y[i] = t[u32(t[i])] + f32(length(t)) }",
       }) {
    expect_same_bits(after_sum(statement, "read p: u32[n]"), kSizes);
  }
}

TEST(Inline, ReturnAndBarrierInTheConsumer) {
  expect_same_bits(join_inlined(kAdd + R"(
program use { shape n: u32 read t: f32[n] write y: f32[n] local l: f32[8u]
  workgroup [8u]
  let i: u32 = global_id(0)
  l[local_id(0)] = t[i]
  barrier
  if i >= n { return }
  y[i] = l[7u - local_id(0)] + t[i]
}
sequence s { shape n: u32 read a: f32[n] read b: f32[n] scratch t: f32[n] write y: f32[n]
  run add(a, b, t) run use(t, y) })"),
                   kSizes);
}

// Producers of n * m elements, read by a map over all of them.
JoinedChain before_map(const std::string& producer,
                       const std::string& statement = "y[i] = t[i] * 2f") {
  return join_inlined(producer + R"(
program use { shape n: u32 shape m: u32 read t: f32[n * m] read p: u32[n * m] write y: f32[n * m]
  let i: u32 = global_id(0)
  if i < n * m { )" + statement +
                      R"( } }
sequence s { shape n: u32 shape m: u32 read x: f32[n * m] read r: f32[n] read p: u32[n * m]
  scratch t: f32[n * m] write y: f32[n * m]
  run make(x, r, t; n = n, m = m) run use(t, p, y; n = n, m = m) })");
}

const std::vector<std::vector<Argument>> kGrids{
    {{"n", 1}, {"m", 1}}, {{"n", 3}, {"m", 5}}, {{"n", 16}, {"m", 2}}, {{"n", 1}, {"m", 33}}};

std::string make_program(const std::string& launch, const std::string& body) {
  return R"(program make { shape n: u32 shape m: u32 tunable items: u32 = 2u
  read x: f32[n * m] read r: f32[n] write t: f32[n * m] )" +
         launch + "\n" + body + " }\n";
}

const std::string kPlane = "workgroup [4u, 2u] grid [(m + 3u) / 4u, (n + 1u) / 2u]";

TEST(Inline, TwoAxesFromOneNumber) {
  const JoinedChain chain = before_map(
      make_program(kPlane,
                   "if global_id(0) < m & global_id(1) < n { t[global_id(1) * m + global_id(0)] = "
                   "x[global_id(1) * m + global_id(0)] * r[global_id(1)] + f32(global_id(0)) }"));
  EXPECT_NE(text_of(chain).find("let t_digit: u32 = step1_i / m\n"), std::string::npos)
      << text_of(chain);
  EXPECT_NE(text_of(chain).find("let t_digit_2: u32 = step1_i % m\n"), std::string::npos);
  expect_same_bits(chain, kGrids);
}

TEST(Inline, VariablesOfTheProducerAreDigits) {
  const std::string body = R"(
  let c: u32 = global_id(0)
  for k: u32 in 0u .. items unroll items {
    let row: u32 = global_id(1) * items + k
    if c < m & row < n { t[row * m + c] = x[row * m + c] * r[row] + f32(c) } })";
  const std::string launch =
      "workgroup [4u, 2u] grid [(m + 3u) / 4u, (n + items * 2u - 1u) / (items * 2u)]";
  const JoinedChain chain = before_map(make_program(launch, body));
  EXPECT_NE(text_of(chain).find("let step0_row: u32 = step1_i / m\n"), std::string::npos)
      << text_of(chain);
  expect_same_bits(chain, kGrids, {{{"items", std::int64_t{1}}}, {{"items", std::int64_t{5}}}});
}

TEST(Inline, LoopsOfTheProducerRunBeforeTheStatement) {
  const std::string body = R"(
  let c: u32 = global_id(0)
  let row: u32 = global_id(1)
  if c < m & row < n {
    var sum: f32 = r[row]
    for k: u32 in 0u .. c + 1u { sum = sum + x[row * m + k] }
    let root: f32 = sqrt(sum)
    t[row * m + c] = root + sum
  })";
  const JoinedChain inside = before_map(make_program(kPlane, body));
  EXPECT_EQ(text_of(inside).find("t_value"), std::string::npos) << text_of(inside);
  expect_same_bits(inside, kGrids);
  // Behind the end of the buffer the loop would run for very long.
  for (const char* statement :
       {"y[i] = t[i + 1u]", "y[i] = t[p[i]] + t[i]", "y[i] = select(i > 0u, t[i - 1u], 1f)"}) {
    const JoinedChain outside = before_map(make_program(kPlane, body), statement);
    EXPECT_NE(text_of(outside).find("var t_value: f32 = 0f"), std::string::npos)
        << text_of(outside);
    expect_same_bits(outside, kGrids);
  }
}

TEST(Inline, SizesOfTheProducersLaunchAreWrittenOut) {
  const JoinedChain chain = before_map(
      make_program("workgroup [items * 2u] grid [(n * m + items * 2u - 1u) / (items * 2u), n]",
                   "let i: u32 = global_id(0) if i < n * m & global_id(1) == 0u { t[i] = x[i] * "
                   "f32(global_size(0) + "
                   "local_size(0) * 100u + groups(1) * 1000u + local_size(2) + length(t)) }"));
  expect_same_bits(chain, kGrids, {{{"items", std::int64_t{1}}}, {{"items", std::int64_t{4}}}});
}

TEST(Inline, SeveralBuffersAndAStoredOne) {
  const std::string text = R"(
program slopes { shape n: u32 read x: f32[n] write d: f32[n] write e: f32[n] write f: f32[n]
  let i: u32 = global_id(0)
  if i < n {
    let a: f32 = x[i + 1u]
    d[i] = a - x[i]
    e[i] = a + x[i]
    f[i] = a * 3f
  } }
program use { shape n: u32 read d: f32[n] read e: f32[n] write y: f32[n]
  let i: u32 = global_id(0)
  if i < n { y[i] = d[i] * d[i] + d[i + 1u] * e[i] } }
)";
  const std::string declared = "shape n: u32 read x: f32[n] scratch d: f32[n] ";
  const JoinedChain dropped = join_inlined(text + "sequence s { " + declared +
                                           "scratch e: f32[n] scratch f: f32[n] write y: f32[n] "
                                           "run slopes(x, d, e, f) run use(d, e, y) }");
  EXPECT_EQ(text_of(dropped).find("* 3f"), std::string::npos) << text_of(dropped);
  expect_same_bits(dropped, kSizes);
  // `f` is not loaded, but it is stored at the index at which `d` is.
  const JoinedChain stored = join_inlined(text + "sequence s { " + declared +
                                          "write e: f32[n] write f: f32[n] write y: f32[n] "
                                          "run slopes(x, d, e, f) run use(d, e, y) }");
  EXPECT_NE(text_of(stored).find("e[step1_i] = e_value"), std::string::npos) << text_of(stored);
  EXPECT_NE(text_of(stored).find("f[step1_i] = f_value"), std::string::npos) << text_of(stored);
  expect_same_bits(stored, kSizes);
}

TEST(Inline, AnOutputIsStoredWhereALoopVisitsIt) {
  const JoinedChain chain = join_inlined(kAdd + R"(
program sums { shape n: u32 shape m: u32 read t: f32[n * m] write y: f32[n]
  let r: u32 = global_id(0)
  if r < n {
    var sum: f32 = 0f
    for c: u32 in 0u .. m unroll 4u { sum = sum + t[r * m + c] * t[r * m + c] }
    y[r] = sum
  } }
sequence s { shape n: u32 shape m: u32 read a: f32[n * m] read b: f32[n * m] write t: f32[n * m]
  write y: f32[n] run add(a, b, t; n = n * m) run sums(t, y; n = n, m = m) })");
  EXPECT_NE(text_of(chain).find("t[step1_r * m + step1_c] = t_value"), std::string::npos)
      << text_of(chain);
  expect_same_bits(chain, kGrids);
}

TEST(Inline, VectorsOfOneWidth) {
  const JoinedChain chain = join_inlined(R"(
program first { shape n: u32 read x: f32[n * 4u] write t: f32[n * 4u]
  let i: u32 = global_id(0)
  if i < n { t.x4[i] = x.x4[i] * x.x4[i] } }
program second { shape n: u32 read t: f32[n * 4u] write y: f32[n * 4u]
  let i: u32 = global_id(0)
  y.x4[i] = t.x4[i] + t.x4[i + 1u] }
sequence s { shape n: u32 read x: f32[n * 4u] scratch t: f32[n * 4u] write y: f32[n * 4u]
  run first(x, t; n = n) run second(t, y; n = n) })");
  EXPECT_NE(text_of(chain).find("step1_i + 1u < n * 4u / 4u"), std::string::npos) << text_of(chain);
  expect_same_bits(chain, kSizes);
}

}  // namespace
}  // namespace vyre::fuse::inline_tests
