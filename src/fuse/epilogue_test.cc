// Work behind a store: what is written, that it changes no bit, and which chains are refused.

#include "fuse/epilogue.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testing/epilogue_chain.h"
#include "testing/joined_chain.h"

namespace vyre::fuse::epilogue_tests {
namespace {

// A product of matrices with tiles in registers.
const std::string kMatmul = R"(program matmul {
  shape m: u32
  shape n: u32
  shape k: u32
  tunable tile_x: u32 = 4u
  tunable tile_y: u32 = 2u
  read a: f32[m * k]
  read b: f32[k * n]
  write c: f32[m * n]
  private sums: f32[tile_x * tile_y]
  workgroup [2u, 2u]
  grid [(n + 2u * tile_x - 1u) / (2u * tile_x), (m + 2u * tile_y - 1u) / (2u * tile_y)]

  for p: u32 in 0u .. k {
    for iy: u32 in 0u .. tile_y {
      for ix: u32 in 0u .. tile_x {
        sums[iy * tile_x + ix] = fma(a[(global_id(1) * tile_y + iy) * k + p], b[p * n + global_id(0) * tile_x + ix], sums[iy * tile_x + ix])
      }
    }
  }
  for iy: u32 in 0u .. tile_y unroll tile_y {
    let y: u32 = global_id(1) * tile_y + iy
    for ix: u32 in 0u .. tile_x unroll tile_x {
      let x: u32 = global_id(0) * tile_x + ix
      if x < n & y < m {
        c[y * n + x] = sums[iy * tile_x + ix]
      }
    }
  }
}
program add_bias {
  shape rows: u32
  shape cols: u32
  tunable items: u32 = 1u
  read x: f32[rows * cols]
  read bias: f32[cols]
  write sum: f32[rows * cols]
  workgroup [4u]
  grid [(cols + 4u * items - 1u) / (4u * items), rows]

  let r: u32 = global_id(1)
  for k: u32 in 0u .. items unroll items {
    let c: u32 = global_id(0) * items + k
    if c < cols & r < rows {
      sum[r * cols + c] = x[r * cols + c] + bias[c]
    }
  }
}
program gelu {
  shape n: u32
  read x: f32[n]
  write out: f32[n]
  let i: u32 = global_id(0)
  if i < n {
    out[i] = x[i] / (1.0f + exp(-1.702f * x[i]))
  }
}
sequence layer {
  shape m: u32
  shape n: u32
  shape k: u32
  read a: f32[m * k]
  read b: f32[k * n]
  read bias: f32[n]
  scratch product: f32[m * n]
  scratch biased: f32[m * n]
  write out: f32[m * n]
  run matmul(a, b, product; m = m, n = n, k = k)
  run add_bias(product, bias, biased; rows = m, cols = n)
  run gelu(biased, out)
}
)";

using testing::Changes;
using testing::expect_same_bits;
using testing::JoinedChain;
using testing::text_of;

JoinedChain joined_after(const std::string& text, const Changes& changes = {}) {
  return testing::join_chain(text, changes, join_epilogue);
}

TEST(Epilogue, GemmBiasGelu) {
  const JoinedChain chain = joined_after(kMatmul);
  const std::string text = text_of(chain);
  EXPECT_NE(text.find(R"(      if step0_x < n & step0_y < m {
        let product_value: f32 = step0_sums[step0_iy_2 * tile_x + step0_ix_2]
        let biased_value: f32 = product_value + bias[step0_x]
        out[step0_y * n + step0_x] = biased_value / (1f + exp(-1.702f * biased_value))
      }
)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("tunable items"), std::string::npos) << text;
  const std::vector<std::vector<Argument>> sizes{{{"m", 1}, {"n", 1}, {"k", 1}},
                                                 {{"m", 5}, {"n", 7}, {"k", 3}},
                                                 {{"m", 9}, {"n", 16}, {"k", 2}}};
  const std::vector<Config> tiles{
      {}, {{"tile_x", std::int64_t{1}}, {"tile_y", std::int64_t{3}}, {"items", std::int64_t{3}}}};
  expect_same_bits(chain, sizes, tiles);
}

const std::vector<std::vector<Argument>> kSizes{{{"n", 1}}, {{"n", 7}}, {{"n", 65}}};

TEST(Epilogue, LegalVariants) {
  struct Case {
    const char* name;
    Changes changes;
  };
  const std::vector<Case> cases{
      {"base", {}},
      {"T is needed", {{"scratch t", "write t"}}},
      {"in place",
       {{"write y: f32[n]\n  // second", "read_write y: f32[n]\n  // second"},
        {"t[j] + w[j]", "t[j] + y[j]"},
        {"write y: f32[n]\n  // seq", "read_write y: f32[n]\n  // seq"}}},
      {"two outputs",
       {{"// second declares", "write z: f32[n]"},
        {"// second stores", "z[j] = t[j] * t[j]"},
        {"// sequence declares", "write z: f32[n]"},
        {"run second(t, w, y)", "run second(t, w, y, z)"}}},
      {"two buffers handed over",
       {{"// first declares", "write u: f32[n]"},
        {"// first stores", "u[i] = a[i] + 1f"},
        {"// sequence declares", "scratch u: f32[n]"},
        {"run first(a, t)", "run first(a, t, u)"},
        {"run second(t, w, y)", "run second(t, u, y)"}}},
      {"one of two is an output",
       {{"// first declares", "write u: f32[n]"},
        {"// first stores", "u[i] = a[i] + 1f"},
        {"// sequence declares", "write u: f32[n]"},
        {"run first(a, t)", "run first(a, t, u)"},
        {"run second(t, w, y)", "run second(t, u, y)"}}},
      {"a loop for each element",
       {{"// second stores", "var s: f32 = t[j] for q: u32 in 0u .. j { s = s + w[q] }"},
        {"t[j] + w[j]", "s"}}},
      {"stores outside, with a loop",
       {{"if i < n {", "if i < n + 5u {"},
        {"// second stores", "var s: f32 = t[j] for q: u32 in 0u .. j { s = s + w[q] }"},
        {"t[j] + w[j]", "s"}}},
      {"other elements of other inputs", {{"t[j] + w[j]", "t[j] + w[n - 1u - j] + w[j + 1u]"}}},
      {"an input that both read", {{"run second(t, w, y)", "run second(t, a, y)"}}},
      {"length of T", {{"t[j] + w[j]", "t[j] + f32(length(t))"}}},
  };
  for (const auto& [name, changes] : cases) {
    SCOPED_TRACE(name);
    expect_same_bits(joined_after(testing::kEpilogueChain, changes), kSizes,
                     {{}, {{"items", std::int64_t{1}}}, {{"items", std::int64_t{5}}}});
  }
}

}  // namespace
}  // namespace vyre::fuse::epilogue_tests
