// Print then parse is the identity, on random programs that use every part of the language.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ir/ops.h"
#include "ir/structure.h"
#include "testing/random_program.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

constexpr std::uint64_t kPrograms = 1000;

testing::RandomOptions everything() {
  testing::RandomOptions options;
  options.floats_into_integers = true;
  options.own_atomics = true;
  return options;
}

TEST(RandomText, PrintThenParseIsTheSameProgram) {
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const Program program = testing::random_program(seed, everything());
    const std::string text = print(program);
    const auto parsed = parse_program(text);
    ASSERT_TRUE(parsed) << "seed " << seed << ": " << parsed.error().message << "\n" << text;
    ASSERT_EQ(*parsed, program) << "seed " << seed << "\n" << text;
    ASSERT_EQ(print(*parsed), text) << "seed " << seed;
    ASSERT_EQ(tree_problem(*parsed), std::nullopt) << "seed " << seed;
  }
}

TEST(RandomText, AProgramAndItsSequenceOfOneHaveTheSameText) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = print(testing::random_program(seed));
    const auto sequence = parse(text);
    ASSERT_TRUE(sequence) << sequence.error().message;
    EXPECT_EQ(print(*sequence), text);
  }
}

TEST(RandomProgram, IsAFunctionOfItsSeed) {
  EXPECT_EQ(testing::random_program(7), testing::random_program(7));
  EXPECT_FALSE(testing::random_program(7) == testing::random_program(8));
}

TEST(RandomProgram, CoversTheLanguage) {
  std::set<Op> ops;
  std::set<Type> types;
  std::set<std::uint32_t> ids;
  std::set<StmtKind> stmts;
  std::set<AtomicOp> atomics;
  std::set<Access> accesses;
  std::set<SymbolKind> symbols;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const Program program = testing::random_program(seed, everything());
    for (const Expr& expr : program.exprs) {
      ops.insert(expr.op);
      types.insert(expr.type);
      if (expr.op == Op::id) ids.insert(expr.index);
    }
    for (const Stmt& stmt : program.stmts) {
      stmts.insert(stmt.kind);
      if (stmt.kind == StmtKind::atomic) atomics.insert(stmt.atomic);
    }
    for (const Buffer& buffer : program.buffers) accesses.insert(buffer.access);
    for (const Symbol& symbol : program.symbols) symbols.insert(symbol.kind);
  }
  EXPECT_EQ(ops.size(), table_ops().size() + static_cast<std::size_t>(kFirstTableOp));
  EXPECT_EQ(types.size(), 10U);
  EXPECT_EQ(ids.size(), 3U * kIdKinds);
  EXPECT_EQ(stmts.size(), 10U);
  EXPECT_EQ(atomics.size(), 5U);
  EXPECT_EQ(accesses.size(), 5U);
  EXPECT_EQ(symbols.size(), 3U);
}

// No integer is computed from a float, so rounding cannot show in integers.
TEST(RandomProgram, KeepsFloatsAmongThemselvesByDefault) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = testing::random_program(seed);
    for (const Expr& expr : program.exprs) {
      if (is_float(expr.type)) continue;
      for (const ExprId arg : operands(expr)) EXPECT_FALSE(is_float(program.exprs[arg].type));
    }
  }
}

TEST(RandomProgram, CanDoWithoutFloatsAndBarriers) {
  testing::RandomOptions options;
  options.floats = testing::Floats::none;
  options.barriers = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = testing::random_program(seed, options);
    for (const Expr& expr : program.exprs) EXPECT_FALSE(is_float(expr.type));
    for (const Buffer& buffer : program.buffers) EXPECT_NE(buffer.element, Scalar::f32);
    for (const Stmt& stmt : program.stmts) EXPECT_NE(stmt.kind, StmtKind::barrier);
  }
}

}  // namespace
}  // namespace vyre::ir
