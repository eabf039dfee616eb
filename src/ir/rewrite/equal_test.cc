// Which differences count for equality of programs. Also: statements and expressions as messages
// show them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/names.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

const std::string kText = R"(program p {
  shape n: u32
  tunable t: u32 = 4u
  read x: f32[n]
  write y: f32[n]
  workgroup [t]

  var v: f32 = x[1u] + 2f
  for i: u32 in 0u .. n unroll t {
    v = v * x[i]
  }
  region "end" {
    y[0u] = v
  }
}
)";

TEST(Equal, EveryChangeOfTheTextCounts) {
  struct Case {
    const char* from;
    const char* to;
  };
  const Program program = *parse_program(kText);
  EXPECT_EQ(program, *parse_program(kText));
  for (const auto& [from, to] : {
           Case{"program p", "program q"},
           Case{"shape", "scalar"},
           Case{"= 4u", "= 5u"},
           Case{"read x", "read_write x"},
           Case{"write y: f32[n]", "write y: f32[t]"},
           Case{"workgroup [t]", "workgroup [_, t]"},
           Case{"workgroup [t]", "grid [t]"},
           Case{"var v", "let v"},
           Case{"1u]", "2u]"},
           Case{"+ 2f", "- 2f"},
           Case{"2f", "3f"},
           Case{"unroll t", "unroll 2u"},
           Case{"unroll t", ""},
           Case{".. n", ".. n step 2u"},
           Case{"v * x[i]", "x[i] * v"},
           Case{"\"end\"", "\"End\""},
           Case{"y[0u]", "y[1u]"},
           Case{"    y[0u] = v\n", ""},
           Case{"y[0u] = v", "barrier"},
       }) {
    std::string text = kText;
    text.replace(text.find(from), std::string(from).size(), to);
    const auto changed = parse_program(text);
    ASSERT_TRUE(changed) << text << changed.error().message;
    EXPECT_FALSE(*changed == program) << to;
  }
}

TEST(Equal, WhereNodesAndVariablesLieDoesNotCount) {
  const Program program = *parse_program(kText);
  Program moved = program;
  moved.variables.insert(moved.variables.begin(), Variable{"unused", {}, false});
  moved.exprs.insert(moved.exprs.begin(), Expr{});
  const auto shift = [](ExprId& id) { id += id == kNone ? 0 : 1; };
  for (Expr& expr : moved.exprs) {
    for (ExprId& arg : expr.args) shift(arg);
    if (expr.op == Op::variable) ++expr.index;
  }
  for (Stmt& stmt : moved.stmts) {
    for (ExprId& arg : stmt.args) shift(arg);
    shift(stmt.unroll);
    shift(stmt.variable);
  }
  for (Buffer& buffer : moved.buffers) shift(buffer.length);
  for (ExprId& axis : moved.workgroup) shift(axis);
  EXPECT_EQ(moved, program);
  EXPECT_EQ(print(moved), print(program));
}

TEST(Equal, TwoVariablesAreNotOne) {
  const auto same = parse_program("program p { let a: u32 = 1u let a: u32 = 2u let b: u32 = a }");
  Program other = *same;
  for (Expr& expr : other.exprs) {
    if (expr.op == Op::variable) expr.index = 0;
  }
  EXPECT_EQ(print(other), print(*same));
  EXPECT_FALSE(other == *same);
}

TEST(Equal, SequencesByStepsAndRepeat) {
  const std::string p = "program p { shape n: u32 write y: u32[n] }\n";
  const auto of = [&](const std::string& body) {
    return *parse(p + "sequence s { shape m: u32 write y: u32[m] write z: u32[m] " + body + " }");
  };
  const SequenceDef base = of("run p(y)");
  EXPECT_EQ(base, of("run p(y)"));
  SequenceDef shorter = base;
  shorter.steps[0].symbols.clear();
  EXPECT_EQ(shorter, base);
  for (const char* body : {"", "run p(z)", "run p(y; n = m)", "run p(y) run p(y)",
                           "run p(y) repeat 0 .. 1 until y limit 3", "run p(y) when true"}) {
    EXPECT_FALSE(of(body) == base) << body;
  }
  EXPECT_EQ(of("run p(y) when true"), of("run p(y) when true"));
  EXPECT_FALSE(of("run p(y) when true") == of("run p(y) when false"));
}

TEST(Equal, SizesOfShapesCount) {
  const auto of = [](const std::string& size) {
    return *parse_program("program p { shape n: u32 " + size + " write y: u32[n] }");
  };
  EXPECT_FALSE(of("= 4u") == of(""));
  EXPECT_FALSE(of("= 4u") == of("= 5u"));
  EXPECT_EQ(fingerprint(of("= 4u")), fingerprint(of("")));
}

TEST(Equal, ValuesOfTunablesCount) {
  const auto of = [](const std::string& values) {
    return *parse_program("program p { tunable t: u32 = 1u " + values + " }");
  };
  EXPECT_EQ(of("in 1u, 2u"), of("in 1u, 2u"));
  for (const char* values : {"", "in 1u", "in 2u, 1u"}) {
    EXPECT_FALSE(of(values) == of("in 1u, 2u")) << values;
    EXPECT_EQ(fingerprint(of(values)), fingerprint(of("in 1u, 2u"))) << values;
  }
}

TEST(PrintForMessages, OneShortLine) {
  const Program program = *parse_program(
      "program p { read x: f32[4u] let s: f32 = x[0u] region \"a\\x0ab\" { } if s < 1f { } "
      "let l: f32 = x[0u] + x[1u] + x[2u] + x[3u] + x[0u] + x[1u] + x[2u] + x[3u] + x[0u] }");
  EXPECT_EQ(print_expr(program, program.stmts[0].args[0]), "x[0u]");
  EXPECT_EQ(print_stmt(program, 0), "let s: f32 = x[0u]");
  EXPECT_EQ(print_stmt(program, 1), "region \"a\\x0ab\" { ... }");
  EXPECT_EQ(print_stmt(program, 2), "if s < 1f { ... }");
  EXPECT_EQ(print_stmt(program, 3), "let l: f32 = x[0u] + x[1u] + x[2u] + x[3u] + x[0u] + x[1u...");
  EXPECT_EQ(print_stmt(program, 99), "?");
  EXPECT_EQ(print_expr(program, kNone), "?");
}

TEST(Names, ReservedWordsAndIdentifiers) {
  for (const char* name : {"a", "_a", "A9_", "min", "step", "length", "__"}) {
    EXPECT_TRUE(is_identifier(name) && !is_reserved(name)) << name;
  }
  for (const char* name : {"", "9", "a-b", "a b", "é", "a\n"}) EXPECT_FALSE(is_identifier(name));
  for (const char* name : {"_", "if", "f32x4", "true", "scratch"}) EXPECT_TRUE(is_reserved(name));
}

}  // namespace
}  // namespace vyre::ir
