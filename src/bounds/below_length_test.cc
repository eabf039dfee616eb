// Indices of images that are clamped, or whose rows and columns have bounds of their own: they are
// known as polynomials, since they are below the length of a buffer.

#include <gtest/gtest.h>

#include "bounds/accesses.h"

namespace vyre::bounds::below_length_tests {
namespace {

// Whether each load of `image` is known and inside, as digits: "11" for two that are.
std::string inside_of(const std::string& body) {
  const std::string text =
      "program p { shape w: u32 shape h: u32 tunable rows: u32 = 1u in 1u, 2u, 8u "
      "read image: f32[(w + 2u) * (h + 2u)] read wide: f32[(w + 4u) * (h + 4u)] "
      "write out: f32[w * h] workgroup [64u] grid [(w + 63u) / 64u, (h + rows - 1u) / rows] "
      "let x: u32 = global_id(0) if x < w { for k: u32 in 0u .. rows { "
      "let y: u32 = global_id(1) * rows + k " +
      body + " } } }";
  const auto program = ir::parse_program(text);
  EXPECT_TRUE(program) << program.error().message << text;
  if (!program) return "";
  Accesses accesses(*program);
  std::string out;
  for (const MemoryAccess& a : accesses.all()) {
    if (a.kind == AccessKind::load) out += accesses.is_inside(a) ? '1' : '0';
  }
  return out;
}

TEST(BelowLength, ClampedRows) {
  const auto load = [](const std::string& buffer, const std::string& index) {
    return "out[x] = " + buffer + "[" + index + "]";
  };
  const struct {
    std::string buffer;
    std::string index;
    const char* expected;
  } table[] = {
      {"image", "min(y, h + 1u) * (w + 2u) + x", "1"},
      {"image", "min(y + 2u, h + 1u) * (w + 2u) + x + 2u", "1"},
      {"wide", "(min(y, h + 1u) + 2u) * (w + 4u) + x + 2u + 1u", "1"},
      {"wide", "min(y, h + 1u) * (w + 2u) + x + 2u", "1"},
      // One column, one row or one line too many; no bound at all.
      {"image", "min(y, h + 1u) * (w + 2u) + x + 3u", "0"},
      {"image", "min(y, h + 2u) * (w + 2u) + x", "0"},
      {"image", "(min(y, h + 1u) + 2u) * (w + 4u) + x", "0"},
      {"image", "y * (w + 2u) + x", "0"},
  };
  for (const auto& [buffer, index, expected] : table) {
    EXPECT_EQ(inside_of(load(buffer, index)), expected) << buffer << "[" << index << "]";
  }
}

}  // namespace
}  // namespace vyre::bounds::below_length_tests
