// The parser's messages about texts with one mistake each.

#include <gtest/gtest.h>

#include <string>

#include "vyre/program.h"

namespace vyre::ir {
namespace {

struct Case {
  std::string text;
  std::string message;
};

void expect_errors(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    const auto result = parse(c.text);
    ASSERT_FALSE(result) << c.text;
    EXPECT_EQ(result.error().kind, ErrorKind::bad_inputs) << c.text;
    EXPECT_EQ(result.error().message, c.message) << c.text;
  }
}

// Mistakes in the value of a `let`, whose expression begins at column 12 of line 2.
void expect_value_errors(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    const std::string text = "program p { shape n: u32 read x: f32[n]\nlet v: u32=" + c.text + " }";
    const auto result = parse(text);
    ASSERT_FALSE(result) << c.text;
    EXPECT_EQ(result.error().message, "line 2, column " + c.message) << c.text;
  }
}

TEST(ParseError, OfTheWhole) {
  expect_errors({
      {"", "line 1, column 1: expected 'program' or 'sequence', found the end of the text"},
      {"\n\n  foo", "line 3, column 3: expected 'program' or 'sequence', found \"foo\""},
      {"program 3 {}", "line 1, column 9: expected the name of the program, found \"3\""},
      {"program if {}",
       "line 1, column 9: expected the name of the program, found \"if\", which is a reserved "
       "word"},
      {"program p", "line 1, column 10: expected '{', found the end of the text"},
      {"program p {", "line 1, column 12: expected a statement or '}', found the end of the text"},
      {"program p { } }", "line 1, column 15: expected 'program' or 'sequence', found '}'"},
      {"program p { } program q { }",
       "line 1, column 28: expected 'program' or 'sequence', found the end of the text"},
      {"program p { } sequence s { } x",
       "line 1, column 30: expected the end of the text, found \"x\""},
      {"program " + std::string(129, 'n') + " {}",
       "line 1, column 9: a name has at most 128 bytes, this one has 129"},
  });
  EXPECT_EQ(parse_program("program p { } program q { }").error().message,
            "line 1, column 15: expected the end of the text, found \"program\"");
  EXPECT_EQ(parse_program("sequence s { }").error().message,
            "line 1, column 1: expected 'program', found \"sequence\"");
}

TEST(ParseError, OfDeclarations) {
  expect_errors({
      {"program p { shape : u32 }", "line 1, column 19: expected a name, found ':'"},
      {"program p { shape n: u32x2 }",
       "line 1, column 22: expected a type (bool, u32, i32, u64, i64 or f32), found \"u32x2\""},
      {"program p { tunable t: u32 }", "line 1, column 28: expected '=', found '}'"},
      {"program p { tunable t: u32 = 4i }",
       "line 1, column 30: the default of tunable \"t\" is i32, not u32"},
      {"program p { shape n: u32 = 4i }",
       "line 1, column 28: the size of shape \"n\" is i32, not u32"},
      {"program p { shape n: u32 = 0u }",
       "line 1, column 28: the size of \"n\" is 0; give one above 0, or none"},
      {"program p { tunable t: u32 = 4u in }", "line 1, column 36: expected a constant, found '}'"},
      {"program p { tunable t: u32 = 4u in 4u, 8i }",
       "line 1, column 40: a value of tunable \"t\" is i32, not u32"},
      {"program p { tunable t: u32 = n }", "line 1, column 30: expected a constant, found \"n\""},
      {"program p { tunable t: f32 = f32(1f) }",
       "line 1, column 34: expected bits such as 0x7fc00000, found \"1f\""},
      {"program p { shape n: u32 read n: f32[4u] }", "line 1, column 31: \"n\" is declared twice"},
      {"program p { read x f32[4u] }", "line 1, column 20: expected ':', found \"f32\""},
      {"program p { read x: f32 }", "line 1, column 25: expected '[', found '}'"},
      {"program p { read x: f32[n] }", "line 1, column 25: unknown name \"n\""},
      {"program p { scratch x: f32[4u] }",
       "line 1, column 13: expected a statement or '}', found \"scratch\""},
      {"program p { workgroup [1u] workgroup [2u] }",
       "line 1, column 28: 'workgroup' is given twice"},
      {"program p { grid [1u, 2u, 3u, 4u] }", "line 1, column 29: expected ']', found ','"},
      {"program p { grid [] }", "line 1, column 19: expected an expression, found ']'"},
      {"program p { barrier read x: f32[4u] }",
       "line 1, column 21: 'read' must come before the first statement"},
  });
}

TEST(ParseError, OfConstantsAndNames) {
  expect_value_errors({
      {"", "13: expected an expression, found '}'"},
      {"3", "12: \"3\" has no type; end it with u, i, ul, l or f"},
      {"0x3", "12: \"0x3\" has no type; end it with u, i, ul, l or f"},
      {"4294967296u", "12: \"4294967296u\" is malformed or does not fit its type"},
      {"-3u", "12: \"-3u\" is malformed or does not fit its type"},
      {"-2147483649i", "12: \"-2147483649i\" is malformed or does not fit its type"},
      {"1e99f", "12: \"1e99f\" is malformed or does not fit its type"},
      {"1.5u", "12: \"1.5u\" is malformed or does not fit its type"},
      {"f32(0x1ffffffff)", "16: \"0x1ffffffff\" are no bits of f32"},
      {"bool(0x2)", "17: \"0x2\" are no bits of bool"},
      {"if", "12: expected an expression, found \"if\""},
      {"\"n\"", "12: expected an expression, found \"\\\"n\\\"\""},
      {"m", "12: unknown name \"m\"; did you mean \"n\"?"},
      {"nmae", "12: unknown name \"nmae\""},
      {"x", "14: expected '[', found '}'"},
      {"n $", "14: expected a statement or '}', found \"$\""},
      {"\x01", "12: expected an expression, found \"\\x01\""},
      {"(1u", "16: expected ')', found '}'"},
  });
}

TEST(ParseError, OfOperations) {
  expect_value_errors({
      {"1u + 2f", "15: '+' takes numbers of one type, not u32 and f32"},
      {"1u << 2i", "15: '<<' takes an integer and a u32 count, not u32 and i32"},
      {"min(1u, 2i)", "12: \"min\" takes numbers of one type, not u32 and i32"},
      {"fma(1f, 2f, 3u)", "12: \"fma\" takes f32 or vectors of f32, not f32, f32 and u32"},
      {"min(1u)", "18: expected ',', found ')'"},
      {"abs(1i, 2i)", "18: expected ')', found ','"},
      {"select(1u, 2u, 3u)",
       "12: \"select\" takes a bool and two values of one type, not u32, u32 and u32"},
      {"-n", "12: '-' takes an i32, i64 or f32, not u32"},
      {"!3u", "12: '!' takes a bool, not u32; '~' inverts bits"},
      {"~true", "12: '~' takes integers, not bool; '!' negates a bool"},
      {"~1f", "12: '~' takes integers or bools of one type, not f32"},
      {"sqrtt(1f)", "12: unknown function \"sqrtt\"; did you mean \"sqrt\"?"},
      {"1u + atomic_add(x, 0u, 1u)",
       "17: an atomic is a statement: write `let old: u32 = atomic_add(...)`"},
      {"x.x3[0u]", "14: expected 'x2' or 'x4', found \"x3\""},
      {"x[0u", "17: expected ']', found '}'"},
      {"x.x4[0u].4", "21: the elements of f32x4 are 0 to 3"},
      {"x.x4[0u].y", "21: expected the number of an element, found \"y\""},
      {"x[0u].0", "17: only vectors have elements, this is f32"},
      {"f32x2(1f, 4u)", "12: f32x2 takes 2 operands of type f32, not u32"},
      {"u32(f32x2(1f, 2f))", "12: u32 takes a scalar, not f32x2"},
      {"bits_u64(1f)",
       "12: f32 cannot be reinterpreted as u64: it takes a number of the same size"},
      {"global_id(3)", "12: there are the axes 0, 1 and 2, not 3"},
      {"global_id(n)", "22: expected an axis (0, 1 or 2), found \"n\""},
      {"length(y)", "19: unknown buffer \"y\"; did you mean \"x\"?"},
      {"length(n)", "19: \"n\" is not a buffer"},
      {"length(3u)", "19: expected the name of a buffer, found \"3u\""},
  });
}

TEST(ParseError, OfStatements) {
  expect_errors({
      {"program p { 3u }", "line 1, column 13: expected a statement or '}', found \"3u\""},
      {"program p { x }", "line 1, column 13: expected a statement or '}', found \"x\""},
      {"program p { else }", "line 1, column 13: expected a statement or '}', found \"else\""},
      {"program p { let 3 }", "line 1, column 17: expected the name of a variable, found \"3\""},
      {"program p { let i: u33 = 1u }",
       "line 1, column 20: expected a type such as u32 or f32x4, found \"u33\""},
      {"program p { var i: u32 }", "line 1, column 24: expected '=', found '}'"},
      {"program p { let i: u32 = i }", "line 1, column 26: unknown name \"i\""},
      {"program p { n = 3u }", "line 1, column 13: unknown variable \"n\""},
      {"program p { var count: u32 = 1u coumt = 3u }",
       "line 1, column 33: unknown variable \"coumt\"; did you mean \"count\"?"},
      {"program p { shape n: u32 n = 3u }", "line 1, column 26: \"n\" is not a variable"},
      {"program p { write x: f32[4u] y[0u] = 1f }",
       "line 1, column 30: unknown buffer \"y\"; did you mean \"x\"?"},
      {"program p { write x: f32[4u] x[0u] = f32x2(1f, 2f) }",
       "line 1, column 30: a value of type f32x2 is stored with x.x2[...]"},
      {"program p { write x: f32[4u] x.x2[0u] = 1f }",
       "line 1, column 30: a value of type f32 is stored with x[...]"},
      {"program p { if true }", "line 1, column 21: expected '{', found '}'"},
      {"program p { if true { } else barrier }",
       "line 1, column 30: expected '{', found \"barrier\""},
      {"program p { for i: u32 of 0u .. 3u { } }",
       "line 1, column 24: expected 'in', found \"of\""},
      {"program p { for i: u32 in 0u { } }", "line 1, column 30: expected '..', found '{'"},
      {"program p { for i: u32 in 0u .. 3u { } i = 1u }",
       "line 1, column 40: unknown variable \"i\""},
      {"program p { while true { } }", "line 1, column 24: expected 'limit', found '{'"},
      {"program p { region a { } }",
       "line 1, column 20: expected the name of a region in quotes, found \"a\""},
      {"program p { region \"a { } }",
       "line 1, column 20: expected the name of a region in quotes, found a string without its "
       "closing quote"},
      {"program p { region \"\\q\" { } }",
       "line 1, column 20: an escape in a string is \\\", \\\\ or \\x and two digits 0-9a-f"},
      {"program p { atomic_sub(x, 0u, 1u) }",
       "line 1, column 13: unknown statement \"atomic_sub\"; did you mean \"atomic_add\"?"},
      {"program p { write x: u32[4u] atomic_add(x, 0u) }",
       "line 1, column 46: expected ',', found ')'"},
  });
}

TEST(ParseError, OfSequences) {
  const std::string p = "program p { shape n: u32 }\n";
  expect_errors({
      {p + "sequence 3 { }", "line 2, column 10: expected the name of the sequence, found \"3\""},
      {p + "sequence s { run q() }",
       "line 2, column 18: unknown program \"q\"; did you mean \"p\"?"},
      {p + "sequence s { run p(x) }", "line 2, column 20: unknown buffer \"x\""},
      {p + "sequence s { run p(; m = 3u) }",
       "line 2, column 22: the program has no shape or scalar \"m\"; did you mean \"n\"?"},
      {p + "sequence s { run p(; n = 3u, n = 4u) }", "line 2, column 30: \"n\" is given twice"},
      {p + "sequence s { run p(; 3u) }",
       "line 2, column 22: expected a shape or scalar of the program, found \"3u\""},
      {p + "sequence s { run p() when }", "line 2, column 27: expected an expression, found '}'"},
      {p + "sequence s { run p() when x }", "line 2, column 27: unknown name \"x\""},
      {p + "sequence s { repeat 0u .. 3 }",
       "line 2, column 21: expected the number of the first step, found \"0u\""},
      {p + "sequence s { repeat 0 .. x }",
       "line 2, column 26: expected the number behind the last step, found \"x\""},
      {p + "sequence s { write f: u32[1u] repeat 0 .. 3 until f limit x }",
       "line 2, column 59: expected a number of rounds, found \"x\""},
      {p + "sequence s { private f: u32[1u] }",
       "line 2, column 14: expected 'run', 'repeat' or '}', found \"private\""},
  });
}

}  // namespace
}  // namespace vyre::ir
