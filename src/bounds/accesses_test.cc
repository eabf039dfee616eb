// Which accesses reach every element, and which never reach one twice: for all sizes and all values
// of the tunables. Each pattern stands beside near misses.

#include "bounds/accesses.h"

#include <gtest/gtest.h>

namespace vyre::bounds {
namespace {

constexpr const char* kDeclarations = R"(
  shape n: u32
  shape rows: u32
  shape cols: u32
  tunable block: u32 = 64u
  tunable items: u32 = 4u
  read x: f32[n]
  write y: f32[n]
  write m: f32[rows * cols]
  write v: f32[n * 4u]
)";

constexpr const char* kLine = "workgroup [block] grid [(n + block - 1u) / block]\n";
constexpr const char* kItems =
    "workgroup [block] grid [(n + block * items - 1u) / (block * items)]\n";
constexpr const char* kRows =
    "workgroup [block] grid [(cols + block * items - 1u) / (block * items), rows]\n";
constexpr const char* kPlane =
    "workgroup [block, items] grid [(cols + block - 1u) / block, (rows + items - 1u) / items]\n";

struct AccessCase {
  const char* name;
  const char* launch;
  const char* body;
  bool covers;
  bool is_injective;
};

ir::Program program_of(const AccessCase& c) {
  const auto program =
      ir::parse_program(std::string("program p {") + kDeclarations + c.launch + c.body + "}\n");
  EXPECT_TRUE(program) << c.name << ": " << program.error().message;
  if (!program) return {};
  for (const Error& e : ir::validate(*program)) ADD_FAILURE() << c.name << ": " << e.message;
  return *program;
}

void expect_accesses(std::span<const AccessCase> table) {
  for (const AccessCase& c : table) {
    const ir::Program program = program_of(c);
    Accesses accesses(program);
    const MemoryAccess* store = nullptr;
    for (const MemoryAccess& a : accesses.all()) {
      if (a.kind == AccessKind::store) store = &a;
    }
    ASSERT_NE(store, nullptr) << c.name;
    EXPECT_EQ(accesses.covers(*store), c.covers) << c.name;
    EXPECT_EQ(accesses.is_injective(*store), c.is_injective) << c.name;
  }
}

TEST(Accesses, OneAxis) {
  const AccessCase table[] = {
      {"plain", kLine, "y[global_id(0)] = 1f", true, true},
      {"guarded", kLine, "let i: u32 = global_id(0) if i < n { y[i] = 1f }", true, true},
      {"ended", kLine, "let i: u32 = global_id(0) if i >= n { return } y[i] = 1f", true, true},
      {"a smaller guard", kLine, "let i: u32 = global_id(0) if i + 1u < n { y[i] = 1f }", false,
       true},
      {"a guard on data", kLine, "let i: u32 = global_id(0) if x[i] > 0f { y[i] = 1f }", false,
       true},
      {"an end on data", kLine, "let i: u32 = global_id(0) if x[i] > 0f { return } y[i] = 1f",
       false, true},
      {"an end inside", kLine,
       "let i: u32 = global_id(0) if i < 9u { if i > 3u { return } } y[i] = 1f", false, true},
      {"shifted", kLine, "y[global_id(0) + 1u] = 1f", false, true},
      {"doubled", kLine, "y[global_id(0) * 2u] = 1f", false, true},
      {"by two ids", kLine, "y[group_id(0) * block + local_id(0)] = 1f", true, true},
      {"by the local id", kLine, "y[local_id(0)] = 1f", false, false},
      {"by the group", kLine, "y[group_id(0)] = 1f", false, false},
      {"one of a group", kLine, "if local_id(0) == 0u { y[group_id(0)] = 1f }", false, true},
      {"one element", kLine, "y[0u] = 1f", false, false},
      {"reversed", kLine, "let i: u32 = global_id(0) if i < n { y[n - 1u - i] = 1f }", false,
       false},
      {"too few groups", "workgroup [block] grid [n / block + 1u]\n", "y[global_id(0)] = 1f", true,
       true},
      {"rounded down", "workgroup [block] grid [max(1u, n / block)]\n", "y[global_id(0)] = 1f",
       false, true},
      {"a group each", "workgroup [block] grid [n]\n", "y[group_id(0)] = 1f", true, false},
      {"no grid", "workgroup [block]\n", "y[global_id(0)] = 1f", false, true},
      {"vectors", kLine, "v.x4[global_id(0)] = f32x4(1f, 1f, 1f, 1f)", true, true},
      {"half of the vectors", kLine, "v.x2[global_id(0)] = f32x2(1f, 1f)", false, true},
  };
  expect_accesses(table);
}

TEST(Accesses, ItemsLoops) {
  const AccessCase table[] = {
      {"neighbours", kItems,
       "for k: u32 in 0u .. items { let i: u32 = global_id(0) * items + k if i < n { y[i] = 1f } }",
       true, true},
      {"far apart", kItems,
       "for k: u32 in 0u .. items { let i: u32 = k * global_size(0) + global_id(0) if i < n { y[i] "
       "= 1f } }",
       true, true},
      {"a stride of the grid", "workgroup [block] grid [items]\n",
       "for i: u32 in global_id(0) .. n step global_size(0) { y[i] = 1f }", true, true},
      {"a stride of the block", "workgroup [block] grid [items]\n",
       "for i: u32 in global_id(0) .. n step block { y[i] = 1f }", false, false},
      {"a block of a group", kItems,
       "for k: u32 in 0u .. items { y[group_id(0) * (block * items) + k * block + local_id(0)] = "
       "1f "
       "}",
       true, true},
      {"one item less", kItems,
       "for k: u32 in 1u .. items { let i: u32 = global_id(0) * items + k if i < n { y[i] = 1f } }",
       false, true},
      {"one item more", kItems,
       "for k: u32 in 0u .. items + 1u { let i: u32 = global_id(0) * items + k if i < n { y[i] = "
       "1f "
       "} }",
       false, false},
      {"every second item", kItems,
       "for k: u32 in 0u .. items step 2u { let i: u32 = global_id(0) * items + k if i < n { y[i] "
       "= "
       "1f } }",
       false, true},
      {"a grid without items", kLine,
       "for k: u32 in 0u .. items { let i: u32 = global_id(0) * items + k if i < n { y[i] = 1f } }",
       false, false},
      {"again in a loop", kLine, "for k: u32 in 0u .. items { y[global_id(0)] = 1f }", true, false},
      {"in a loop that may be empty", kLine, "for k: u32 in 1u .. items { y[global_id(0)] = 1f }",
       false, false},
      {"in a while", kLine, "while x[0u] > 0f limit 3u { y[global_id(0)] = 1f }", false, false},
  };
  expect_accesses(table);
}

TEST(Accesses, SeveralAxes) {
  const AccessCase table[] = {
      {"rows of items", kRows,
       "let r: u32 = global_id(1) for k: u32 in 0u .. items { let c: u32 = global_id(0) * items + "
       "k "
       "if c < cols & r < rows { m[r * cols + c] = 1f } }",
       true, true},
      {"columns of items", kRows,
       "let r: u32 = global_id(1) for k: u32 in 0u .. items { let c: u32 = global_id(0) * items + "
       "k "
       "if c < cols & r < rows { m[c * rows + r] = 1f } }",
       true, true},
      {"no guard of columns", kRows,
       "let r: u32 = global_id(1) for k: u32 in 0u .. items { let c: u32 = global_id(0) * items + "
       "k "
       "m[r * cols + c] = 1f }",
       false, false},
      {"a plane", kPlane,
       "let r: u32 = global_id(1) let c: u32 = global_id(0) if c < cols & r < rows { m[r * cols + "
       "c] "
       "= 1f }",
       true, true},
      {"a guard on the sum", kPlane,
       "let r: u32 = global_id(1) let c: u32 = global_id(0) if r * cols + c < rows * cols { m[r * "
       "cols + c] = 1f }",
       false, false},
      {"swapped guards", kPlane,
       "let r: u32 = global_id(1) let c: u32 = global_id(0) if c < rows & r < cols { m[r * cols + "
       "c] "
       "= 1f }",
       false, false},
      {"either guard", kPlane,
       "let r: u32 = global_id(1) let c: u32 = global_id(0) if c < cols | r < rows { m[r * cols + "
       "c] "
       "= 1f }",
       false, false},
      {"a row each", "workgroup [block] grid [(rows + block - 1u) / block]\n",
       "let r: u32 = global_id(0) if r < rows { for c: u32 in 0u .. cols { m[r * cols + c] = 1f } "
       "}",
       true, true},
      {"most of a row each", "workgroup [block] grid [(rows + block - 1u) / block]\n",
       "let r: u32 = global_id(0) if r < rows { for c: u32 in 1u .. cols { m[r * cols + c] = 1f } "
       "}",
       false, true},
      {"split and joined", "workgroup [block] grid [(rows * cols + block - 1u) / block]\n",
       "let i: u32 = global_id(0) if i < rows * cols { let r: u32 = i / cols let c: u32 = i % cols "
       "m[r * cols + c] = 1f }",
       true, true},
      {"neighbours over a product",
       "workgroup [block] grid [(rows * cols + block * items - 1u) / (block * items)]\n",
       "for k: u32 in 0u .. items { let i: u32 = global_id(0) * items + k if i < rows * cols { "
       "m[i] = "
       "1f } }",
       true, true},
      {"the same for all on an axis", kPlane, "let c: u32 = global_id(0) if c < cols { y[c] = 1f }",
       false, false},
  };
  expect_accesses(table);
}

// A loop over a tunable that may be 0 may not run.
TEST(Accesses, UseTheDeclaredValuesOfTunables) {
  const auto covers = [](const std::string& values) {
    const auto program = ir::parse_program(
        "program p { shape n: u32 tunable again: u32 = 2u" + values +
        " write y: f32[n] workgroup [4u] grid [(n + 3u) / 4u] for k: u32 in 0u .. again { "
        "y[global_id(0)] = 1f } }");
    EXPECT_TRUE(program) << program.error().message;
    return program && Accesses(*program).covers_buffer(0);
  };
  EXPECT_TRUE(covers(""));
  EXPECT_TRUE(covers(" in 1u, 2u, 4u"));
  EXPECT_FALSE(covers(" in 0u, 2u, 4u"));
}

TEST(Accesses, SayWhatTheyKnow) {
  const ir::Program program =
      program_of({"", kLine, "let i: u32 = global_id(0) if i < n { y[i] = x[i / 4u] + x[i + 1u] }",
                  true, true});
  Accesses accesses(program);
  ASSERT_EQ(accesses.all().size(), 3U);
  const MemoryAccess& quarter = accesses.all()[0];
  const MemoryAccess& next = accesses.all()[1];
  const MemoryAccess& store = accesses.all()[2];
  EXPECT_TRUE(accesses.is_inside(quarter));
  EXPECT_FALSE(accesses.is_inside(next));
  EXPECT_TRUE(accesses.is_inside(store));
  EXPECT_TRUE(accesses.equal(store.place, next.index, store.index + Poly(1)));
  EXPECT_EQ(accesses.find_load(quarter.load), &quarter);
  EXPECT_EQ(accesses.find_stmt(store.stmt), &store);
  EXPECT_EQ(accesses.length(store.buffer), accesses.symbol("n"));
  EXPECT_FALSE(accesses.symbol("nothing").is_known());
  const auto id = as_atom(store.index);
  ASSERT_TRUE(id);
  EXPECT_EQ(accesses.atom(*id).kind, AtomKind::id);
  EXPECT_FALSE(accesses.atom(*id).is_uniform);
  const auto quotient = accesses.quotient(store.index, Poly(4));
  ASSERT_TRUE(quotient);
  EXPECT_EQ(*quotient, quarter.index);
  EXPECT_FALSE(accesses.quotient(store.index, Poly(3)));
  EXPECT_TRUE(accesses.is_certain(store.place));
  EXPECT_TRUE(accesses.covers_buffer(store.buffer));
  EXPECT_FALSE(accesses.covers_buffer(quarter.buffer));
}

TEST(Accesses, OpaqueVariablesAreAtoms) {
  const ir::Program program =
      program_of({"", "workgroup [block] grid [(rows + block - 1u) / block]\n",
                  "let r: u32 = global_id(0) if r < rows { let q: u32 = r for c: u32 in 0u .. cols "
                  "{ m[q * cols "
                  "+ c] = 1f } m[q] = 0f }",
                  true, true});
  std::uint32_t q = 0;
  while (program.variables[q].name != "q") ++q;
  Accesses accesses(program, {.opaque = {q}});
  const auto atom = as_atom(accesses.variable(q));
  ASSERT_TRUE(atom);
  EXPECT_EQ(accesses.atom(*atom).kind, AtomKind::variable);
  ASSERT_EQ(accesses.all().size(), 2U);
  const auto row = accesses.digits(accesses.all()[0], std::span(&*atom, 1));
  ASSERT_TRUE(row);
  EXPECT_EQ(row->at(0).stride, accesses.symbol("cols"));
  EXPECT_TRUE(accesses.has_digits(accesses.all()[0], *row));
  EXPECT_FALSE(accesses.has_digits(accesses.all()[1], *row)) << "another stride";
}

}  // namespace
}  // namespace vyre::bounds
