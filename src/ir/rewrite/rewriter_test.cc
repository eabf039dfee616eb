// Rewriting without hooks changes nothing but names; hooks replace loads, statements and sizes.

#include "ir/rewrite/rewriter.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/ops.h"
#include "testing/random_program.h"

namespace vyre::ir {
namespace {

Program rewritten(const Program& program) {
  ProgramWriter to(program.name);
  Rewriter rewriter(program, to);
  rewriter.declare_symbols();
  rewriter.declare_buffers();
  rewriter.declare_launch();
  rewriter.rewrite(program.body);
  return std::move(to).finish();
}

TEST(Rewriter, WithoutHooksARandomProgramStaysTheSame) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = testing::random_program(seed, {});
    const Program again = rewritten(program);
    const auto errors = validate(again);
    ASSERT_TRUE(errors.empty()) << seed << ": " << errors[0].message << print(again);
    ASSERT_EQ(fingerprint(again), fingerprint(program)) << seed << print(program) << print(again);
  }
}

TEST(Rewriter, NamesOfSiblingBlocksAreMadeDifferent) {
  const Program program = *parse_program(
      "program p { write y: u32[4u] if true { let a: u32 = 1u y[a] = a } else { let a: u32 = 2u "
      "y[a] = a } }");
  EXPECT_EQ(print(rewritten(program)), R"(program p {
  write y: u32[4u]

  if true {
    let a: u32 = 1u
    y[a] = a
  } else {
    let a_2: u32 = 2u
    y[a_2] = a_2
  }
}
)");
}

// Replaces loads of "x" by a variable that is introduced before the statement, and drops stores to
// "z".
class Hooked : public Rewriter {
 public:
  using Rewriter::Rewriter;
  bool saw_condition = false;

 protected:
  ExprId replace_expr(ExprId id) override {
    const Expr& e = from().exprs[id];
    if (e.op != Op::load || from().buffers[e.index].name != "x") return kNone;
    saw_condition = saw_condition || is_in_condition();
    const ExprId index = rewrite(e.args[0]);
    return to().variable_value(to().let("v", to().op(Op::mul, {index, to().u32(3)})));
  }
  bool replace_stmt(StmtId id) override {
    const Stmt& s = from().stmts[id];
    return s.kind == StmtKind::store && from().buffers[s.buffer].name == "z";
  }
};

TEST(Rewriter, HooksWriteStatementsBeforeTheCurrentOne) {
  const Program program = *parse_program(R"(program p {
  read x: u32[8u]
  read_write y: u32[8u]
  write z: u32[8u]
  if x[1u] < 2u {
    y[x[2u]] = x[x[3u]] + y[0u]
    z[0u] = x[7u]
  }
  while y[0u] < 3u limit x[4u] {
    y[0u] = 5u
  }
}
)");
  ProgramWriter to("q");
  Hooked hooked(program, to);
  hooked.rewrite(program.body);
  EXPECT_FALSE(hooked.saw_condition);
  EXPECT_EQ(print(std::move(to).finish()), R"(program q {
  read_write y: u32[8u]

  let v: u32 = 1u * 3u
  if v < 2u {
    let v_2: u32 = 2u * 3u
    let v_3: u32 = 3u * 3u
    let v_4: u32 = v_3 * 3u
    y[v_2] = v_4 + y[0u]
  }
  let v_5: u32 = 4u * 3u
  while y[0u] < 3u limit v_5 {
    y[0u] = 5u
  }
}
)");
}

TEST(Rewriter, TheConditionOfAWhileIsKnownToBeOne) {
  const Program program =
      *parse_program("program p { read x: u32[8u] while x[0u] < 1u limit x[1u] { } }");
  ProgramWriter to("q");
  Hooked hooked(program, to);
  hooked.rewrite(program.body);
  EXPECT_TRUE(hooked.saw_condition);
}

TEST(Rewriter, TwoProgramsShareDeclarationsByName) {
  const Program first = *parse_program(
      "program a { shape n: u32 tunable t: u32 = 4u read x: f32[n] write y: f32[n] local l: f32[t] "
      "y[0u] = x[0u] + l[0u] }");
  const Program second = *parse_program(
      "program b { shape n: u32 tunable t: u32 = 4u read y: f32[n] read_write x: f32[n] "
      "local l: f32[2u] x[0u] = y[0u] + l[1u] }");
  ProgramWriter to("c");
  for (const Program* program : {&first, &second}) {
    Rewriter rewriter(*program, to);
    rewriter.rewrite(program->body);
  }
  EXPECT_EQ(print(std::move(to).finish()), R"(program c {
  shape n: u32
  tunable t: u32 = 4u
  read_write x: f32[n]
  local l: f32[t]
  write y: f32[n]
  local l_2: f32[2u]

  y[0u] = x[0u] + l[0u]
  x[0u] = y[0u] + l_2[1u]
}
)");
}

TEST(JoinedAccess, OfTwoProgramsOneAfterTheOther) {
  struct Case {
    Access first;
    Access second;
    Access joined;
  };
  for (const auto& [first, second, joined] :
       {Case{Access::read, Access::read, Access::read},
        Case{Access::read, Access::read_write, Access::read_write},
        Case{Access::read_write, Access::read, Access::read_write},
        Case{Access::read_write, Access::read_write, Access::read_write},
        Case{Access::write, Access::read, Access::write},
        Case{Access::write, Access::read_write, Access::write}}) {
    EXPECT_EQ(joined_access(first, second), joined) << name_of(first) << " " << name_of(second);
  }
}

TEST(ProgramWriter, LeavesOutExpressionsThatNothingUses) {
  ProgramWriter to("p");
  const ExprId twice = to.op(Op::add, {to.u32(1), to.u32(2)});
  to.let("a", to.copy(twice));
  to.let("b", to.cast(Scalar::f32, to.copy(twice)));
  EXPECT_EQ(to.nodes(), 12U);
  const Program made = std::move(to).finish();
  EXPECT_TRUE(validate(made).empty());
  EXPECT_EQ(made.exprs.size(), 7U);
  EXPECT_EQ(print(made), "program p {\n  let a: u32 = 1u + 2u\n  let b: f32 = f32(1u + 2u)\n}\n");
}

TEST(ProgramWriter, FreeNamesAvoidEverythingElse) {
  ProgramWriter to("p");
  to.reserve("x");
  EXPECT_EQ(to.free_name("x"), "x_2");
  EXPECT_EQ(to.free_name("x"), "x_3");
  EXPECT_EQ(to.free_name("if"), "if_2");
  EXPECT_LE(to.free_name(std::string(500, 'a')).size(), Limits::kNameBytes);
  EXPECT_LE(to.free_name(std::string(500, 'a')).size(), Limits::kNameBytes);
}

TEST(ProgramWriter, VectorsOfZeros) {
  ProgramWriter to("p");
  to.let("a", to.zero({Scalar::f32, 4}));
  to.let("b", to.extract(to.zero({Scalar::u32, 2}), 1));
  const Program made = std::move(to).finish();
  EXPECT_TRUE(validate(made).empty());
  EXPECT_NE(print(made).find("let a: f32x4 = f32x4(0f, 0f, 0f, 0f)"), std::string::npos);
}

}  // namespace
}  // namespace vyre::ir
