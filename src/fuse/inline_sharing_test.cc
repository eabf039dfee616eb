// What several loads need is computed once, if it is the same at all of them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuse/inline.h"
#include "testing/joined_chain.h"

namespace vyre::fuse::inline_sharing_tests {
namespace {

using testing::expect_same_bits;
using testing::JoinedChain;
using testing::text_of;

JoinedChain join_inlined(const std::string& text) { return testing::join_chain(text, join_inline); }

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Two outputs that are made of one difference.
const std::string kSlopes = R"(program slopes {
  shape w: u32
  shape h: u32
  tunable rows: u32 = 1u
  read image: f32[(w + 1u) * (h + 1u)]
  write square: f32[w * (h + 1u)]
  write sign: f32[w * (h + 1u)]
  workgroup [4u]
  grid [(w + 3u) / 4u, (h + rows) / rows]
  for k: u32 in 0u .. rows {
    let x: u32 = global_id(0)
    let y: u32 = global_id(1) * rows + k
    if x < w & y < h + 1u {
      let at: u32 = y * (w + 1u) + x
      let slope: f32 = image[at + 1u] - image[at]
      square[y * w + x] = slope * slope
      sign[y * w + x] = max(min(slope, 1f), -1f)
    }
  }
}
)";

JoinedChain after_slopes(const std::string& body) {
  return join_inlined(kSlopes + R"(
program use { shape w: u32 shape h: u32 read square: f32[w * (h + 1u)] read sign: f32[w * (h + 1u)]
  write out: f32[w * h]
  workgroup [4u] grid [(w + 3u) / 4u, h]
  let x: u32 = global_id(0) let y: u32 = global_id(1)
  )" + body + R"( }
sequence s { shape w: u32 shape h: u32 read image: f32[(w + 1u) * (h + 1u)]
  scratch square: f32[w * (h + 1u)] scratch sign: f32[w * (h + 1u)] write out: f32[w * h]
  run slopes(image, square, sign; w = w, h = h) run use(square, sign, out; w = w, h = h) })");
}

const std::vector<std::vector<Argument>> kImages{
    {{"w", 1}, {"h", 1}}, {{"w", 5}, {"h", 3}}, {{"w", 9}, {"h", 4}}};

TEST(InlineSharing, ProductsAtOneIndexShareTheirLets) {
  const JoinedChain chain = after_slopes(R"(if x < w & y < h {
    let a: f32 = square[y * w + x] * sign[y * w + x]
    let b: f32 = square[(y + 1u) * w + x] * sign[(y + 1u) * w + x]
    out[y * w + x] = a - b })");
  EXPECT_EQ(count_of(text_of(chain), "let step0_slope"), 2U) << text_of(chain);
  expect_same_bits(chain, kImages);
}

// A value from a block around is used; one from a block that is over is not.
TEST(InlineSharing, BlocksSeeWhatWasWrittenAroundThem) {
  const JoinedChain inner = after_slopes(R"(if x < w & y < h {
    var a: f32 = square[y * w + x]
    if a > 1f { a = sign[y * w + x] }
    out[y * w + x] = a })");
  EXPECT_EQ(count_of(text_of(inner), "let step0_slope"), 1U) << text_of(inner);
  expect_same_bits(inner, kImages);
  const JoinedChain beside = after_slopes(R"(if x < w & y < h {
    var a: f32 = 0f
    if x > 1u { a = square[y * w + x] }
    out[y * w + x] = a + sign[y * w + x] })");
  EXPECT_EQ(count_of(text_of(beside), "let step0_slope"), 2U) << text_of(beside);
  expect_same_bits(beside, kImages);
}

// In a value of a `select`, proofs may rely on its condition. Elsewhere the load may be outside.
TEST(InlineSharing, ValuesOfASelectAreNotUsedElsewhere) {
  const JoinedChain chain = join_inlined(R"(
program more { shape n: u32 read a: f32[n] write t: f32[n]
  let i: u32 = global_id(0)
  if i < n { t[i] = a[i] + 1f } }
program use { shape n: u32 read t: f32[n] write y: f32[n + 5u]
  let i: u32 = global_id(0)
  if i < n + 5u { y[i] = select(i < n, t[i], 3f) + t[i] } }
sequence s { shape n: u32 read a: f32[n] scratch t: f32[n] write y: f32[n + 5u]
  run more(a, t) run use(t, y; n = n) })");
  expect_same_bits(chain, {{{"n", 1}}, {{"n", 4}}, {{"n", 70}}});
}

TEST(InlineSharing, DigitsOfASelectAreNotUsedElsewhere) {
  const JoinedChain chain = after_slopes(R"(if x < w & y < h {
    let a: f32 = select(x > 0u, square[y * w + x - 1u], 0f)
    out[y * w + x] = a + sign[y * w + x - 1u] })");
  expect_same_bits(chain, kImages);
}

}  // namespace
}  // namespace vyre::fuse::inline_sharing_tests
