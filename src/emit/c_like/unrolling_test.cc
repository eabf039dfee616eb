// The size of kernels after unrolling, and the refusal of those that are too large.

#include "emit/c_like/unrolling.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emit/opencl/opencl_c.h"

namespace vyre::emit {
namespace {

// Two nested loops with a store in the inner one.
ir::Program nested(std::string_view outer, std::string_view inner) {
  auto program = ir::parse_program(fmt::format(R"(program nested {{
  tunable u: u32 = 2u
  shape n: u32
  write y: u32[n]

  for j: u32 in 0u .. n {} {{
    for k: u32 in 0u .. 1000u {} {{
      y[j] = k
    }}
  }}
}}
)",
                                               outer, inner));
  EXPECT_TRUE(program) << program.error().message;
  return *std::move(program);
}

std::uint64_t nodes(std::string_view outer, std::string_view inner, std::uint64_t u = 2) {
  return unrolled_nodes(nested(outer, inner), std::vector<std::optional<std::uint64_t>>{u, {}});
}

Expected<std::string> emitted(const ir::Program& program, std::uint64_t u) {
  const std::vector<std::uint64_t> symbols{u, 0};
  const KernelSource kernel{&program, symbols, {64, 1, 1}, "k_nested"};
  return opencl_c({&kernel, 1});
}

// A store of three nodes, and loops of four each.
TEST(Unrolling, CopiesOfBodiesAreCounted) {
  EXPECT_EQ(nodes("", ""), 4U + 4U + 3U);
  EXPECT_EQ(nodes("", "unroll 10u"), 4U + 4U + 10U * 3U);
  EXPECT_EQ(nodes("unroll 5u", "unroll 10u"), 4U + 5U * (4U + 10U * 3U));
  EXPECT_EQ(nodes("", "unroll u", 7), 4U + 4U + 7U * 3U);
  EXPECT_EQ(nodes("", "unroll 1024u"), 4U + 4U + 1000U * 3U) << "it has 1000 turns";
  EXPECT_EQ(nodes("", "unroll 4000u"), 4U + 4U + 3U) << "this hint is left out";
  EXPECT_EQ(nodes("unroll 1000u", "unroll 1000u"), 2 * ir::Limits::kNodes);
}

TEST(Unrolling, AKernelThatBecomesTooLargeIsRefused) {
  const ir::Program program = nested("unroll u", "unroll 1000u");
  const auto small = emitted(program, 10);
  EXPECT_TRUE(small) << small.error().message;
  const auto large = emitted(program, 1000);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, ErrorKind::rejected);
  EXPECT_EQ(large.error().message,
            "program \"nested\" has more than 32768 expressions and statements after unrolling; "
            "unroll its loops less often");
}

}  // namespace
}  // namespace vyre::emit
