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
  // Workgroups of one invocation, so that any number of them can be asked for.
  const KnownLaunch launch{symbols, {static_cast<std::uint32_t>(invocations), 1, 1}, {1, 1, 1}};
  return program && covers(*program, 1, 100, launch);
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
       true},
      {"to another element", number + "  y[i + 1u] = x[i]\n", 128, false},
      {"along another axis", "  y[global_id(1)] = 1u\n", 128, false},
      {"by a variable that changes", "  var i: u32 = global_id(0)\n  i = 0u\n  y[i] = 1u\n", 128,
       false},
      {"after an early end", number + "  if x[i] == 0u {\n    return\n  }\n  y[i] = 1u\n", 128,
       false},
      {"read before", number + "  y[i] = y[i] + 1u\n", 128, false},
      {"in a loop", number + "  for k: u32 in 0u .. n step 1u {\n    y[i] = k\n  }\n", 128, true},
      {"in a loop that may not run", number + "  for k: u32 in 0u .. x[0u] {\n    y[i] = k\n  }\n",
       128, false},
      {"four each", number + "  for k: u32 in 0u .. 4u {\n    y[i * 4u + k] = 1u\n  }\n", 25, true},
      {"three of four each", number + "  for k: u32 in 0u .. 3u {\n    y[i * 4u + k] = 1u\n  }\n",
       25, false},
      {"four each, too few", number + "  for k: u32 in 0u .. 4u {\n    y[i * 4u + k] = 1u\n  }\n",
       24, false},
      {"with the stride of the grid",
       "  for i: u32 in global_id(0) .. n step global_size(0) {\n    y[i] = 1u\n  }\n", 7, true},
      {"rows that are read again",
       number +
           "  for k: u32 in 0u .. 4u {\n    y[i * 4u + k] = 1u\n  }\n  for l: u32 in 1u .. 4u {\n"
           "    y[i * 4u + l] = y[i * 4u + l - 1u]\n  }\n",
       25, true},
      {"rows that are read too early",
       number + "  let first: u32 = y[i * 4u]\n  for k: u32 in 0u .. 4u {\n    y[i * 4u + k] = "
                "first\n  }\n",
       25, false},
      {"rows that others read",
       number +
           "  for k: u32 in 0u .. 4u {\n    y[i * 4u + k] = 1u\n  }\n  let next: u32 = y[i * 4u + "
           "4u]\n  y[i * 4u] = next\n",
       25, false},
      {"read in the turn before",
       number + "  for k: u32 in 0u .. 4u {\n    y[i * 4u + k] = 1u\n    y[i * 4u] = y[i * 4u + 3u "
                "- k]\n"
                "  }\n",
       25, false},
      {"read in the same turn",
       number + "  for k: u32 in 0u .. 4u {\n    y[i * 4u + k] = 1u\n    y[i * 4u + k] = y[i * 4u "
                "+ k] + "
                "1u\n  }\n",
       25, true},
      {"atomics", number + "  y[i] = 0u\n  atomic_add(y, i, 1u)\n", 100, false},
  };
  for (const Case& c : table)
    EXPECT_EQ(covered(c.statements, c.invocations), c.is_covered) << c.name;
}

TEST(Coverage, CountsTheElementsOfAVector) {
  const auto program = ir::parse_program(
      "program p {\n  write y: f32[100u]\n  workgroup [64u, 1u, 1u]\n"
      "  y.x4[global_id(0)] = f32x4(1f, 2f, 3f, 4f)\n}\n");
  if (!program) GTEST_FAIL() << program.error().message;
  EXPECT_TRUE(covers(*program, 0, 100, {{}, {25, 1, 1}, {1, 1, 1}}));
  EXPECT_FALSE(covers(*program, 0, 100, {{}, {24, 1, 1}, {1, 1, 1}}));
}

}  // namespace
}  // namespace vyre::bounds
