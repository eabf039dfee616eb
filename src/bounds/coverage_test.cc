// Which launches write every element of a buffer, as far as can be proved.

#include "bounds/coverage.h"

#include <gtest/gtest.h>

#include <optional>

namespace vyre::bounds {
namespace {

// Of n = 100 elements of y.
bool covered(const std::string& statements, std::uint64_t invocations) {
  const auto program = ir::parse_program(
      "program p {\n  shape n: u32\n  read x: u32[n]\n  write y: u32[n]\n  workgroup [64u, 1u, "
      "1u]\n" +
      statements + "}\n");
  EXPECT_TRUE(program) << program.error().message;
  const std::optional<std::uint64_t> symbols[] = {100};
  return program && covers(*program, 1, symbols, 100, invocations);
}

TEST(Coverage, NeedsOneStoreOfEveryInvocation) {
  const std::string number = "  let i: u32 = global_id(0)\n";
  struct Case {
    const char* name;
    std::string statements;
    std::uint64_t invocations;
    bool is_covered;
  };
  const Case table[] = {
      {"a store of all", number + "  y[i] = x[i]\n", 128, true},
      {"exactly as many", number + "  y[i] = x[i]\n", 100, true},
      {"too few", number + "  y[i] = x[i]\n", 99, false},
      {"under the usual guard", number + "  if i < n {\n    y[i] = x[i]\n  }\n", 128, true},
      {"under a guard that is too small", number + "  if i < 99u {\n    y[i] = x[i]\n  }\n", 128,
       false},
      {"under a guard on something else", number + "  if x[i] < n {\n    y[i] = 1u\n  }\n", 128,
       false},
      {"under two guards",
       number + "  if i < 200u {\n    if i < n {\n      y[i] = 1u\n    }\n  }\n", 128, true},
      {"in the other branch", number + "  if i < 0u {\n  } else {\n    y[i] = 1u\n  }\n", 128,
       false},
      {"to another element", number + "  y[i + 1u] = x[i]\n", 128, false},
      {"along another axis", "  y[global_id(1)] = 1u\n", 128, false},
      {"by a variable that changes", "  var i: u32 = global_id(0)\n  i = 0u\n  y[i] = 1u\n", 128,
       false},
      {"after an early end", number + "  if x[i] == 0u {\n    return\n  }\n  y[i] = 1u\n", 128,
       false},
      {"read before", number + "  y[i] = y[i] + 1u\n", 128, false},
      {"in a loop", number + "  for k: u32 in 0u .. n step 1u {\n    y[i] = k\n  }\n", 128, false},
  };
  for (const Case& c : table)
    EXPECT_EQ(covered(c.statements, c.invocations), c.is_covered) << c.name;
}

TEST(Coverage, CountsTheElementsOfAVector) {
  const auto program = ir::parse_program(
      "program p {\n  write y: f32[100u]\n  workgroup [64u, 1u, 1u]\n"
      "  y.x4[global_id(0)] = f32x4(1f, 2f, 3f, 4f)\n}\n");
  if (!program) GTEST_FAIL() << program.error().message;
  EXPECT_TRUE(covers(*program, 0, {}, 100, 25));
  EXPECT_FALSE(covers(*program, 0, {}, 100, 24));
  EXPECT_FALSE(covers(*program, 0, {}, 99, 25)) << "the last vector reaches outside";
}

}  // namespace
}  // namespace vyre::bounds
