#include <gtest/gtest.h>

#include "ir/ops.h"
#include "testing/mistakes.h"

namespace vyre::ir {
namespace {

using testing::Mistake;
using testing::NodeMaker;
using testing::Sample;

const Mistake kNames[] = {
    {"V010",
     "program \"\": program \"\" is no name; use letters, digits and _, not starting with a digit",
     [](Sample& s) { s.program.name = ""; }},
    {"V010",
     "program \"a\\x0ab\": program \"a\\x0ab\" is no name; use letters, digits and _, not starting "
     "with a digit",
     [](Sample& s) { s.program.name = "a\nb"; }},
    {"V010",
     "program \"sample\", shape \"2n\": shape \"2n\" is no name; use letters, digits and _, not "
     "starting with a digit",
     [](Sample& s) { s.program.symbols[0].name = "2n"; }},
    {"V010",
     "program \"sample\", buffer \"x y\": buffer \"x y\" is no name; use letters, digits and _, "
     "not starting with a digit",
     [](Sample& s) { s.program.buffers[0].name = "x y"; }},
    {"V010",
     "program \"sample\", statement \"let \\\"i\\\\x0a\\\": u32 = global_id(0)\": variable "
     "\"i\\x0a\" is no name; use letters, digits and _, not starting with a digit",
     [](Sample& s) { s.program.variables[Sample::i].name = "i\n"; }},
    {"V011",
     "program \"sample\", scalar "
     "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\": the "
     "name of this scalar has 129 bytes; shorten it to 128",
     [](Sample& s) { s.program.symbols[1].name = std::string(129, 'a'); }},
    {"V012",
     "program \"sample\", tunable \"f32\": tunable \"f32\" has a reserved word as its name; choose "
     "another",
     [](Sample& s) { s.program.symbols[2].name = "f32"; }},
    {"V012",
     "program \"sample\", statement \"let \\\"while\\\": f32x4 = x.x4[0u]\": variable \"while\" "
     "has a reserved word as its name; choose another",
     [](Sample& s) { s.program.variables[Sample::v].name = "while"; }},
    {"V013", "program \"sample\", scalar \"n\": \"n\" is declared twice; rename one of the two",
     [](Sample& s) { s.program.symbols[1].name = "n"; }},
    {"V013", "program \"sample\", buffer \"a\": \"a\" is declared twice; rename one of the two",
     [](Sample& s) { s.program.buffers[Sample::y].name = "a"; }},
    {"V014",
     "program \"sample\", statement \"for i: u32 in 0u .. 4u step 2u unroll t { ... }\": \"i\" "
     "already has a meaning here; rename the variable",
     [](Sample& s) { s.program.variables[Sample::k].name = "i"; }},
    {"V014",
     "program \"sample\", statement \"let tile: u32 = atomic_add(count, 0u, 1u)\": \"tile\" "
     "already has a meaning here; rename the variable",
     [](Sample& s) { s.program.variables[Sample::old].name = "tile"; }},
    {"V014",
     "program \"sample\", statement \"let n: u32 = global_id(0)\": \"n\" already has a meaning "
     "here; rename the variable",
     [](Sample& s) { s.program.variables[Sample::i].name = "n"; }},
    {"V015",
     "program \"sample\", statement \"region \\\"\\\" { ... }\": a region's name is 1 to 128 bytes "
     "of printable ASCII without \", \\ and *; choose such a one",
     [](Sample& s) { s.at(s.region).name = ""; }},
    {"V015",
     "program \"sample\", statement \"region \\\"a\\\\x0ab\\\" { ... }\": a region's name is 1 to "
     "128 bytes of printable ASCII without \", \\ and *; choose such a one",
     [](Sample& s) { s.at(s.region).name = "a\nb"; }},
    {"V015",
     "program \"sample\", statement \"region "
     "\\\"rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr...\": a region's name is 1 to 128 "
     "bytes of printable ASCII without \", \\ and *; choose such a one",
     [](Sample& s) { s.at(s.region).name = std::string(129, 'r'); }},
};

const Mistake kDeclarations[] = {
    {"V043",
     "program \"sample\", buffer \"flags\": a buffer cannot hold bool; use u32 with 0 and 1",
     [](Sample& s) {
       NodeMaker make(s.program);
       s.program.buffers.push_back({"flags", Scalar::boolean, Access::read, make.u32(1)});
     }},
    {"V044",
     "program \"sample\", shape \"m\": a shape is a u32, not i32; make it a scalar or a u32",
     [](Sample& s) { s.program.symbols.push_back({"m", SymbolKind::shape, Scalar::i32, 0}); }},
    {"V045",
     "program \"sample\", tunable \"t\": the default 0x10000000000 has bits beyond u32; "
     "zero-extend the value",
     [](Sample& s) { s.program.symbols[Sample::t].default_bits = std::uint64_t{1} << 40; }},
    {"V045",
     "program \"sample\", tunable \"b\": the default 0x2 has bits beyond bool; zero-extend the "
     "value",
     [](Sample& s) {
       s.program.symbols.push_back({"b", SymbolKind::tunable, Scalar::boolean, 2});
     }},
    {"V045",
     "program \"sample\", tunable \"t\": the value 0x10000000000 has bits beyond u32; zero-extend "
     "the value",
     [](Sample& s) { s.program.symbols[Sample::t].values = {8, std::uint64_t{1} << 40}; }},
    {"V046",
     "program \"sample\", tunable \"t\": the value 8u is listed twice; remove one of the two",
     [](Sample& s) { s.program.symbols[Sample::t].values = {8, 16, 8}; }},
    {"V046", "program \"sample\", tunable \"t\": the default 8u is not among the values; add it",
     [](Sample& s) { s.program.symbols[Sample::t].values = {4, 16}; }},
};

const Mistake kVisibility[] = {
    {"V020",
     "program \"sample\", statement \"tile[local_id(0)] = x[i]\": variable \"i\" is not visible "
     "here; introduce it before, in this block or one around it",
     [](Sample& s) { std::swap(s.program.body[0], s.program.body[2]); }},
    {"V020",
     "program \"sample\", statement \"count[0u] = k\": variable \"k\" is not visible here; "
     "introduce it before, in this block or one around it",
     [](Sample& s) {  // after the loop
       NodeMaker make(s.program);
       s.program.body.push_back(make.store(Sample::count, {make.u32(0), make.variable(Sample::k)}));
     }},
    {"V020",
     "program \"sample\", statement \"for k: u32 in 0u .. k step 2u unroll t { ... }\": variable "
     "\"k\" is not visible here; introduce it before, in this block or one around it",
     [](Sample& s) {  // in its own loop's bounds
       s.arg(s.loop, 1) = {.op = Op::variable, .type = kU32, .index = Sample::k};
     }},
    {"V020",
     "program \"sample\", statement \"let i: u32 = i\": variable \"i\" is not visible here; "
     "introduce it before, in this block or one around it",
     [](Sample& s) {  // in its own value
       s.arg(s.let_i, 0) = {.op = Op::variable, .type = kU32, .index = Sample::i};
     }},
    {"V020",
     "program \"sample\", statement \"w = 1u\": variable \"w\" is not visible here; introduce it "
     "before, in this block or one around it",
     [](Sample& s) {  // assigned after its block
       NodeMaker make(s.program);
       const StmtId inner = make.let("w", kU32, make.u32(0), true);
       s.at(s.region).body.push_back(inner);
       std::swap(s.program.stmts[inner], s.program.stmts[s.region]);
       s.program.body.back() = inner;
       s.program.stmts[inner].body.back() = s.region;
       s.program.body.push_back(make.assign(Sample::v + 1, make.u32(1)));
     }},
    {"V021",
     "program \"sample\", statement \"i = 1u\": variable \"i\" cannot be assigned; introduce it as "
     "mutable",
     [](Sample& s) {
       NodeMaker make(s.program);
       s.program.body.push_back(make.assign(Sample::i, make.u32(1)));
     }},
    {"V022",
     "program \"sample\", statement \"for k: u32 in 0u .. 4u step 2u unroll t { ... }\": loop "
     "variable \"k\" is marked mutable; it cannot be assigned, so copy it",
     [](Sample& s) { s.program.variables[Sample::k].is_mutable = true; }},
    {"V032",
     "program \"sample\", statement \"let old: u32x200 = atomic_add(count, 0u, 1u)\": there is no "
     "type u32x200; vectors are u32x2, u32x4, f32x2 and f32x4",
     [](Sample& s) {  // only the variable; the value's type is right
       s.program.variables[Sample::old].type.width = 200;
     }},
};

TEST(ValidateNames, OneMistakeEach) { testing::expect_mistakes(kNames); }
TEST(ValidateDeclarations, OneMistakeEach) { testing::expect_mistakes(kDeclarations); }
TEST(ValidateScopes, OneMistakeEach) { testing::expect_mistakes(kVisibility); }

TEST(ValidateScopes, ANameIsFreeAgainAfterItsBlock) {
  Sample s = testing::sample();
  s.program.variables[Sample::old].name = "k";
  EXPECT_EQ(validate(s.program), std::vector<Error>{});
}

TEST(ValidateScopes, TheResultOfAnAtomicCanBeMutable) {
  Sample s = testing::sample();
  s.program.variables[Sample::old].is_mutable = true;
  EXPECT_EQ(validate(s.program), std::vector<Error>{});
}

TEST(ValidateNames, MessagesStayOnOneLine) {
  Sample s = testing::sample();
  s.program.name = "a\nb";
  for (Symbol& symbol : s.program.symbols) symbol.name += "\r\n\x1b";
  for (Buffer& buffer : s.program.buffers) buffer.name += "\x01";
  for (Variable& variable : s.program.variables) variable.name = "\n";
  const auto errors = validate(s.program);
  EXPECT_GT(errors.size(), 5U);
  for (const Error& error : errors) {
    for (const char c : error.message)
      EXPECT_GE(static_cast<unsigned char>(c), 0x20) << error.message;
  }
}

}  // namespace
}  // namespace vyre::ir
