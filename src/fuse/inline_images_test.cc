// Chains over images: rows and columns are found in indices without division.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuse/inline.h"
#include "testing/joined_chain.h"

namespace vyre::fuse::inline_images_tests {
namespace {

using testing::expect_same_bits;
using testing::JoinedChain;
using testing::text_of;

JoinedChain join_inlined(const std::string& text) { return testing::join_chain(text, join_inline); }

const std::string kBlur = R"(program blur_x {
  shape w: u32
  shape h: u32
  tunable block: u32 = 4u
  tunable rows_x: u32 = 1u
  read image: f32[(w + 2u) * (h + 2u)]
  write out: f32[w * (h + 2u)]
  workgroup [block]
  grid [(w + block - 1u) / block, (h + rows_x + 1u) / rows_x]

  let x: u32 = global_id(0)
  for k: u32 in 0u .. rows_x unroll rows_x {
    let y: u32 = global_id(1) * rows_x + k
    if x < w & y < h + 2u {
      out[y * w + x] = 0.25f * image[y * (w + 2u) + x] + 0.5f * image[y * (w + 2u) + x + 1u] + 0.25f * image[y * (w + 2u) + x + 2u]
    }
  }
}
program blur_y {
  shape w: u32
  shape h: u32
  tunable block: u32 = 4u
  tunable rows_y: u32 = 1u
  read image: f32[w * (h + 2u)]
  write out: f32[w * h]
  workgroup [block]
  grid [(w + block - 1u) / block, (h + rows_y - 1u) / rows_y]

  let x: u32 = global_id(0)
  if x < w {
    for k: u32 in 0u .. rows_y unroll rows_y {
      let y: u32 = global_id(1) * rows_y + k
      let above: f32 = image[min(y, h + 1u) * w + x]
      let here: f32 = image[min(y + 1u, h + 1u) * w + x]
      let below: f32 = image[min(y + 2u, h + 1u) * w + x]
      if y < h {
        out[y * w + x] = 0.25f * above + 0.5f * here + 0.25f * below
      }
    }
  }
}
)";

const std::vector<std::vector<Argument>> kImages{
    {{"w", 1}, {"h", 1}}, {{"w", 5}, {"h", 3}}, {{"w", 17}, {"h", 6}}};
const std::vector<Config> kRows{{}, {{"rows_y", std::int64_t{4}}, {"rows_x", std::int64_t{3}}}};

TEST(InlineImages, BlurNeedsNeitherDivisionNorGuard) {
  const JoinedChain chain = join_inlined(kBlur + R"(sequence blur {
  shape w: u32
  shape h: u32
  read image: f32[(w + 2u) * (h + 2u)]
  scratch across: f32[w * (h + 2u)]
  write out: f32[w * h]
  run blur_x(image, across; w = w, h = h)
  run blur_y(across, out; w = w, h = h)
})");
  EXPECT_EQ(text_of(chain), R"(program blur_x_blur_y {
  shape w: u32
  shape h: u32
  tunable block: u32 = 4u
  tunable rows_y: u32 = 1u
  write out: f32[w * h]
  read image: f32[(w + 2u) * (h + 2u)]
  workgroup [block]
  grid [(w + block - 1u) / block, (h + rows_y - 1u) / rows_y]

  let step1_x: u32 = global_id(0)
  if step1_x < w {
    for step1_k: u32 in 0u .. rows_y unroll rows_y {
      let step1_y: u32 = global_id(1) * rows_y + step1_k
      let step0_y: u32 = min(step1_y, h + 1u)
      let step1_above: f32 = 0.25f * image[step0_y * (w + 2u) + step1_x] + 0.5f * image[step0_y * (w + 2u) + step1_x + 1u] + 0.25f * image[step0_y * (w + 2u) + step1_x + 2u]
      let step0_y_2: u32 = min(step1_y + 1u, h + 1u)
      let step1_here: f32 = 0.25f * image[step0_y_2 * (w + 2u) + step1_x] + 0.5f * image[step0_y_2 * (w + 2u) + step1_x + 1u] + 0.25f * image[step0_y_2 * (w + 2u) + step1_x + 2u]
      let step0_y_3: u32 = min(step1_y + 2u, h + 1u)
      let step1_below: f32 = 0.25f * image[step0_y_3 * (w + 2u) + step1_x] + 0.5f * image[step0_y_3 * (w + 2u) + step1_x + 1u] + 0.25f * image[step0_y_3 * (w + 2u) + step1_x + 2u]
      if step1_y < h {
        out[step1_y * w + step1_x] = 0.25f * step1_above + 0.5f * step1_here + 0.25f * step1_below
      }
    }
  }
}
)");
  expect_same_bits(chain, kImages, kRows);
}

TEST(InlineImages, UnsharpHasThreeLinks) {
  const JoinedChain chain = join_inlined(kBlur + R"(
program detail {
  shape w: u32
  shape h: u32
  tunable block: u32 = 4u
  tunable rows_y: u32 = 1u
  read image: f32[(w + 2u) * (h + 2u)]
  read blurred: f32[w * h]
  write out: f32[w * h]
  workgroup [block]
  grid [(w + block - 1u) / block, (h + rows_y - 1u) / rows_y]

  let x: u32 = global_id(0)
  for k: u32 in 0u .. rows_y unroll rows_y {
    let y: u32 = global_id(1) * rows_y + k
    if x < w & y < h {
      out[y * w + x] = image[(y + 1u) * (w + 2u) + x + 1u] - blurred[y * w + x]
    }
  }
}
program sharpen {
  shape w: u32
  shape h: u32
  scalar amount: f32
  tunable block: u32 = 4u
  tunable rows_y: u32 = 1u
  read image: f32[(w + 2u) * (h + 2u)]
  read detail: f32[w * h]
  write out: f32[w * h]
  workgroup [block]
  grid [(w + block - 1u) / block, (h + rows_y - 1u) / rows_y]

  let x: u32 = global_id(0)
  for k: u32 in 0u .. rows_y unroll rows_y {
    let y: u32 = global_id(1) * rows_y + k
    if x < w & y < h {
      out[y * w + x] = image[(y + 1u) * (w + 2u) + x + 1u] + amount * detail[y * w + x]
    }
  }
}
sequence unsharp {
  shape w: u32
  shape h: u32
  scalar amount: f32
  read image: f32[(w + 2u) * (h + 2u)]
  scratch across: f32[w * (h + 2u)]
  scratch blurred: f32[w * h]
  scratch difference: f32[w * h]
  write out: f32[w * h]
  run blur_x(image, across; w = w, h = h)
  run blur_y(across, blurred; w = w, h = h)
  run detail(image, blurred, difference; w = w, h = h)
  run sharpen(image, difference, out; w = w, h = h, amount = amount)
})");
  const std::string text = text_of(chain);
  for (const char* unwanted : {" / w", "%", "select", "scratch", "across", "blurred:"}) {
    EXPECT_EQ(text.find(unwanted), std::string::npos) << unwanted << text;
  }
  std::vector<std::vector<Argument>> sizes = kImages;
  for (auto& arguments : sizes) arguments.push_back({"amount", 0x3f400000});
  expect_same_bits(chain, sizes, kRows);
}

// The pixel before the first one of a row is the last one of the row before.
TEST(InlineImages, DigitsAreNotReadOffWhereTheyMayBeNegative) {
  const JoinedChain chain = join_inlined(R"(
program scale { shape w: u32 shape h: u32 read image: f32[w * h] read by: f32[w] write out: f32[w * h]
  workgroup [4u, 2u] grid [(w + 3u) / 4u, (h + 1u) / 2u]
  let x: u32 = global_id(0) let y: u32 = global_id(1)
  if x < w & y < h { out[y * w + x] = image[y * w + x] * by[x] } }
program shift { shape w: u32 shape h: u32 read image: f32[w * h] write out: f32[w * h]
  workgroup [4u, 2u] grid [(w + 3u) / 4u, (h + 1u) / 2u]
  let x: u32 = global_id(0) let y: u32 = global_id(1)
  if x < w & y < h & y > 0u { out[y * w + x] = image[y * w + x - 1u] } }
sequence s { shape w: u32 shape h: u32 read image: f32[w * h] read by: f32[w]
  scratch scaled: f32[w * h] write out: f32[w * h]
  run scale(image, by, scaled; w = w, h = h) run shift(scaled, out; w = w, h = h) }
)");
  EXPECT_NE(text_of(chain).find("(step1_y * w + step1_x - 1u) % w"), std::string::npos)
      << text_of(chain);
  expect_same_bits(chain, kImages);
}

}  // namespace
}  // namespace vyre::fuse::inline_images_tests
