// Texts and programs that are too deep, too long or no tree: an error or a comment, never a crash.

#include <gtest/gtest.h>

#include <string>

#include "ir/structure.h"
#include "vyre/program.h"

namespace vyre::ir {
namespace {

std::string repeat(const std::string& text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string with_value(const std::string& value) {
  return "program p { let v: i32 = " + value + " }";
}

std::string nested_ifs(std::size_t levels) {
  return "program p { " + repeat("if true { ", levels - 1) + "barrier" + repeat(" }", levels - 1) +
         " }";
}

std::string error_of(const std::string& text) {
  const auto result = parse_program(text);
  return result ? "no error" : result.error().message.substr(result.error().message.find(": ") + 2);
}

constexpr const char* kTooDeep =
    "an expression nests deeper than 128 levels; put a part of it into a `let`";

TEST(ParseLimits, ExpressionsOf128LevelsAreReadAndPrinted) {
  for (const std::string& value : {
           repeat("abs(", 127) + "1i" + repeat(")", 127),
           repeat("-", 127) + "(1i)",
           "1i" + repeat(" + 1i", 127),
           repeat("1i - (", 127) + "1i" + repeat(")", 127),
           repeat("-(1i - ", 63) + "abs(2i)" + repeat(")", 63),
           repeat("(", 200) + "1i" + repeat(")", 200),
       }) {
    const auto program = parse_program(with_value(value));
    ASSERT_TRUE(program) << program.error().message << value;
    const auto again = parse_program(print(*program));
    ASSERT_TRUE(again) << again.error().message << print(*program);
    EXPECT_EQ(*again, *program);
  }
}

TEST(ParseLimits, DeeperExpressionsAreErrors) {
  for (const std::size_t levels : {std::size_t{128}, std::size_t{100'000}}) {
    EXPECT_EQ(error_of(with_value(repeat("abs(", levels) + "1i" + repeat(")", levels))), kTooDeep);
    EXPECT_EQ(error_of(with_value(repeat("-", levels) + "(1i)")), kTooDeep);
    EXPECT_EQ(error_of(with_value("1i" + repeat(" + 1i", levels))), kTooDeep);
    EXPECT_EQ(error_of(with_value(repeat("1i - (", levels) + "1i" + repeat(")", levels))),
              kTooDeep);
  }
  EXPECT_EQ(error_of(with_value(repeat("(", 100'000))), kTooDeep);
  EXPECT_EQ(error_of(with_value(repeat("1i * x[", 100'000))), "unknown name \"x\"");
}

TEST(ParseLimits, StatementsNest64Levels) {
  const auto program = parse_program(nested_ifs(64));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(*parse_program(print(*program)), *program);
  constexpr const char* message = "statements nest deeper than 64 levels";
  EXPECT_EQ(error_of(nested_ifs(65)), message);
  EXPECT_EQ(error_of(nested_ifs(100'000)), message);
  EXPECT_EQ(error_of("program p { if true { }" + repeat(" else if true { }", 64) + " }"), message);
}

TEST(ParseLimits, CountsNodesDeclarationsStepsAndBytes) {
  EXPECT_TRUE(parse_program("program p { " + repeat("barrier ", 100'000) + "}"));
  EXPECT_EQ(error_of("program p { " + repeat("barrier ", 100'001) + "}"),
            "more than 100000 expressions and statements; split it up");
  EXPECT_EQ(error_of("program p { " + repeat("let v: i32 = 1i ", 50'001) + "}"),
            "more than 100000 expressions and statements; split it up");
  std::string shapes;
  for (int i = 0; i < 1025; ++i) shapes += "shape n" + std::to_string(i) + ": u32 ";
  EXPECT_EQ(error_of("program p { " + shapes + "}"), "more than 1024 symbols and buffers");
  const std::string p = "program p { } ";
  EXPECT_EQ(parse(p + "sequence s { " + repeat("run p() ", 1025) + "}").error().message,
            "line 1, column 8220: more than 1024 steps");
  EXPECT_EQ(parse(repeat(p, 1025)).error().message,
            "line 1, column 14337: more than 1024 programs");
  EXPECT_EQ(parse(std::string((64U << 20U) + 1, ' ')).error().message,
            "the text of a program has 67108865 bytes, more than the 67108864 allowed");
}

TEST(ParseLimits, AnyShortBytesAreSafe) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::string bytes{static_cast<char>(a), static_cast<char>(b)};
      EXPECT_FALSE(parse(bytes));
      EXPECT_FALSE(parse("program p { let v: u32 = x" + bytes));
    }
  }
}

Expr negation(ExprId of) { return {Op::neg, {Scalar::i32, 1}, 0, 0, {of, kNone, kNone, kNone}}; }

Program chain(std::uint32_t levels) {
  Program program;
  program.name = "chain";
  program.exprs.push_back({Op::constant, {Scalar::i32, 1}, 0, 1, {kNone, kNone, kNone, kNone}});
  for (std::uint32_t i = 1; i < levels; ++i) program.exprs.push_back(negation(i - 1));
  program.variables.push_back({"v", {Scalar::i32, 1}, false});
  Stmt let;
  let.kind = StmtKind::let;
  let.variable = 0;
  let.args[0] = levels - 1;
  program.stmts.push_back(let);
  program.body.push_back(0);
  return program;
}

TEST(PrintLimits, WhatIsTooDeepIsNotPrinted) {
  EXPECT_EQ(*parse_program(print(chain(128))), chain(128));
  EXPECT_EQ(print(chain(129)),
            "program chain {\n  // not printable: expressions nest deeper than 128 levels\n}\n");
  EXPECT_EQ(print(chain(200'000)), print(chain(129)));
  EXPECT_EQ(print_expr(chain(200'000), 199'999), "------------...");
  EXPECT_EQ(chain(200'000), chain(200'000));
  EXPECT_FALSE(chain(200'000) == chain(200'001));

  Program deep;
  deep.name = "deep";
  deep.stmts.emplace_back();
  for (StmtId i = 0; i < 200'000; ++i) {
    Stmt region;
    region.kind = StmtKind::region;
    region.body.push_back(i);
    deep.stmts.push_back(region);
  }
  deep.body.push_back(200'000);
  EXPECT_EQ(print(deep),
            "program deep {\n  // not printable: statements nest deeper than 64 levels\n}\n");
  EXPECT_EQ(deep, Program(deep));
}

TEST(PrintLimits, WhatIsNoTreeIsNamed) {
  const auto problem = [](auto change) {
    Program program = chain(3);
    change(program);
    EXPECT_NE(print(program).find("// not printable: "), std::string::npos);
    print_expr(program, 2);
    print_stmt(program, 0);
    EXPECT_EQ(program, Program(program));
    EXPECT_FALSE(program == chain(3));
    return tree_problem(program).value_or("none");
  };
  EXPECT_EQ(problem([](Program& p) { p.exprs[1].args[0] = 1; }),
            "expression 1 refers to expression 1, which does not come before it");
  EXPECT_EQ(problem([](Program& p) { p.exprs[1].args[0] = kNone; }),
            "expression 1 lacks an expression operand");
  EXPECT_EQ(problem([](Program& p) { p.stmts[0].args[0] = 9; }),
            "statement 0 refers to expression 9, which does not exist");
  EXPECT_EQ(problem([](Program& p) { p.workgroup[1] = 2; }), "expression 2 is used twice");
  EXPECT_EQ(problem([](Program& p) { p.body.push_back(0); }), "statement 0 is used twice");
  EXPECT_EQ(problem([](Program& p) { p.exprs[2].op = static_cast<Op>(200); }),
            "expression 2 has no known op");
  EXPECT_EQ(problem([](Program& p) { p.stmts[0].kind = static_cast<StmtKind>(99); }),
            "statement 0 has no known kind");
  SequenceDef sequence;
  sequence.name = "s";
  sequence.steps.push_back({0, {7}, {5}});
  sequence.steps[0].when = 6;
  EXPECT_EQ(print(sequence),
            "sequence s {\n  // not printable: step 0 refers to expression 5, which does not "
            "exist\n}\n");
}

}  // namespace
}  // namespace vyre::ir
