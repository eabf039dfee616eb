#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/ops.h"
#include "ir/rewrite/sequence_of.h"
#include "testing/mistakes.h"

namespace vyre::ir {
namespace {

using testing::SequenceMistake;

ExprId constant(SequenceDef& s, Type type, std::uint64_t bits) {
  s.exprs.push_back({.op = Op::constant, .type = type, .bits = bits});
  return static_cast<ExprId>(s.exprs.size() - 1);
}

const SequenceMistake kSequenceDeclarations[] = {
    {"V004", "sequence \"chain\": it has 1025 steps; the limit is 1024, so split it",
     [](SequenceDef& s) { s.steps.resize(1025); }},
    {"V004", "sequence \"chain\": it has 1025 programs; the limit is 1024, so split it",
     [](SequenceDef& s) { s.programs.resize(1025); }},
    {"V004", "sequence \"chain\": it has 100001 nodes; the limit is 100000, so split it",
     [](SequenceDef& s) { s.exprs.resize(100'001); }},
    {"V001", "sequence \"chain\": buffer 0 lacks a required expression; give it one",
     [](SequenceDef& s) { s.buffers[0].length = kNone; }},
    {"V001",
     "sequence \"chain\": expression 0 refers to variable 0, but ids end at 0; use one below that",
     [](SequenceDef& s) { s.exprs[0].op = Op::variable; }},
    {"V003", "sequence \"chain\": expression 3 is used 2 times; it must be exactly once",
     [](SequenceDef& s) { s.steps[1].symbols[0] = s.steps[0].symbols[0]; }},
    {"V010",
     "sequence \"a b\": sequence \"a b\" is no name; use letters, digits and _, not starting with "
     "a digit",
     [](SequenceDef& s) { s.name = "a b"; }},
    {"V013", "sequence \"chain\", scalar \"m\": \"m\" is declared twice; rename one of the two",
     [](SequenceDef& s) { s.symbols[1].name = "m"; }},
    {"V013", "sequence \"chain\": two programs are called \"sample\"; rename one of them",
     [](SequenceDef& s) { s.programs[1].name = "sample"; }},
    {"V015",
     "program \"sample\", statement \"region \\\"*/\\\" { ... }\": a region's name is 1 to 128 "
     "bytes of printable ASCII without \", \\ and *; choose such a one",
     [](SequenceDef& s) { s.programs[0].stmts.back().name = "*/"; }},
    {"V031",
     "sequence \"chain\", buffer \"input\": in \"m\", it gives u32, but is marked as i32; set "
     "Expr::type to u32",
     [](SequenceDef& s) { s.exprs[0].type = {Scalar::i32, 1}; }},
    {"V060",
     "sequence \"chain\", step 0: \"global_id(0)\" cannot be part of a size; use constants, "
     "symbols, lengths and operations on them",
     [](SequenceDef& s) { s.exprs[s.steps[0].symbols[0]] = {.op = Op::id, .type = kU32}; }},
    {"V062", "sequence \"chain\", buffer \"counters\": the size \"4i\" is i32; it must be u32",
     [](SequenceDef& s) {
       s.exprs[2] = {.op = Op::constant, .type = {Scalar::i32, 1}, .bits = 4};
     }},
    {"V103",
     "sequence \"chain\", buffer \"counters\": a sequence has no local buffers; make it scratch",
     [](SequenceDef& s) { s.buffers[2].access = Access::local; }},
};

const SequenceMistake kSteps[] = {
    {"V090", "sequence \"chain\": it has no steps; add one",
     [](SequenceDef& s) {
       s.steps.clear();
       s.repeat.reset();
       s.exprs.resize(3);
     }},
    {"V090", "sequence \"chain\", step 1: there is no program 2; use one below 2",
     [](SequenceDef& s) { s.steps[1].program = 2; }},
    {"V091",
     "sequence \"chain\", step 1: buffers of \"finish\": 2, bound here: 1; bind one to each",
     [](SequenceDef& s) { s.steps[1].buffers.pop_back(); }},
    {"V092",
     "sequence \"chain\", step 1: there is no buffer 7 to bind to \"from\"; use one below 3",
     [](SequenceDef& s) { s.steps[1].buffers[0] = 7; }},
    {"V093",
     "sequence \"chain\", step 1: \"from\" holds u32, but is bound to \"input\", which holds f32; "
     "bind another",
     [](SequenceDef& s) { s.steps[1].buffers[0] = 0; }},
    {"V094",
     "sequence \"chain\", step 1: \"to\" is written, but is bound to the read buffer \"input\"; "
     "declare that read_write or write",
     [](SequenceDef& s) { s.steps[1].buffers[1] = 0; }},
    {"V095",
     "sequence \"chain\", step 0: \"x\" and \"y\" are bound to one buffer, and one of them is "
     "written; bind two",
     [](SequenceDef& s) { s.steps[0].buffers[0] = 1; }},
    {"V096",
     "sequence \"chain\", step 1: shapes and scalars of \"finish\": 1, values given: 2; give one "
     "for each",
     [](SequenceDef& s) { s.steps[1].symbols.push_back(kNone); }},
    {"V097", "sequence \"chain\", step 0: scalar \"a\" has no value; only a shape can be left open",
     [](SequenceDef& s) {
       s.steps[0].symbols[1] = kNone;
       s.exprs.pop_back();
     }},
    {"V098", "sequence \"chain\", step 0: \"a\" is f32, but gets u32; cast the value",
     [](SequenceDef& s) {
       s.exprs[s.steps[0].symbols[1]] = {.op = Op::constant, .type = kU32, .bits = 1};
     }},
    {"V099",
     "sequence \"chain\": tunable \"t\" is declared with different types, defaults or values; let "
     "them agree or rename one",
     [](SequenceDef& s) { s.programs[1].symbols[1].default_bits = 9; }},
    {"V099",
     "sequence \"chain\": tunable \"t\" is declared with different types, defaults or values; let "
     "them agree or rename one",
     [](SequenceDef& s) { s.symbols.push_back({"t", SymbolKind::tunable, Scalar::i32, 8}); }},
    {"V099",
     "sequence \"chain\": tunable \"t\" is declared with different types, defaults or values; let "
     "them agree or rename one",
     [](SequenceDef& s) {
       for (Program& p : s.programs) {
         for (Symbol& symbol : p.symbols) {
           if (symbol.name == "t") symbol.values = {8, symbol.default_bits + s.symbols.size()};
         }
         s.symbols.push_back({fmt::format("u{}", s.symbols.size()), SymbolKind::shape});
       }
     }},
    {"V104", "sequence \"chain\", step 1: the condition \"1f\" is f32; it must be bool or u32",
     [](SequenceDef& s) { s.steps[1].when = constant(s, {Scalar::f32, 1}, 0x3f800000); }},
    {"V061",
     "sequence \"chain\", step 1: \"m\" is known only at dispatch; use constants and tunables here",
     [](SequenceDef& s) {
       s.steps[1].when = constant(s, kU32, 0);
       s.exprs.back() = {.op = Op::symbol, .type = kU32};
     }},
    {"V060",
     "sequence \"chain\", step 0: \"length(input)\" cannot be part of a size; use constants, "
     "symbols "
     "and operations on them",
     [](SequenceDef& s) {
       s.steps[0].when = constant(s, kU32, 0);
       s.exprs.back() = {.op = Op::length, .type = kU32};
     }},
    {"V003", "sequence \"chain\": expression 3 is used 2 times; it must be exactly once",
     [](SequenceDef& s) { s.steps[1].when = s.steps[0].symbols[0]; }},
    {"V100",
     "sequence \"chain\", repeat: 0 .. 3 is no range of steps; keep it within 0 .. 2 and not empty",
     [](SequenceDef& s) { s.repeat->last = 3; }},
    {"V100",
     "sequence \"chain\", repeat: 2 .. 2 is no range of steps; keep it within 0 .. 2 and not empty",
     [](SequenceDef& s) { s.repeat->first = 2; }},
    {"V101",
     "sequence \"chain\", repeat: \"input\" holds f32; what a repeat waits for must hold u32",
     [](SequenceDef& s) { s.repeat->until = 0; }},
    {"V101", "sequence \"chain\", repeat: there is no buffer 3 to wait for; use one below 3",
     [](SequenceDef& s) { s.repeat->until = 3; }},
    {"V102", "sequence \"chain\", repeat: the limit is 0; make it at least 1",
     [](SequenceDef& s) { s.repeat->limit = 0; }},
};

TEST(ValidateSequence, Declarations) { testing::expect_mistakes(kSequenceDeclarations); }
TEST(ValidateSequence, Steps) { testing::expect_mistakes(kSteps); }

TEST(ValidateSequence, TheSamplesAreValid) {
  EXPECT_EQ(validate(testing::sample().program), std::vector<Error>{});
  EXPECT_EQ(validate(testing::sample_sequence()), std::vector<Error>{});
  EXPECT_EQ(validate(sequence_of(testing::sample().program)), std::vector<Error>{});
}

TEST(ValidateSequence, TwoReadersMayShareABuffer) {
  SequenceDef s = testing::sample_sequence();
  s.programs[1].buffers[1].access = Access::read;
  s.programs[1].buffers[0].element = Scalar::f32;
  s.programs[1].stmts.clear();
  s.programs[1].exprs.resize(2);
  s.programs[1].body.clear();
  s.steps[1].buffers = {0, 0};
  EXPECT_EQ(validate(s), std::vector<Error>{});
}

TEST(ValidateSequence, ErrorsOfProgramsComeFirstAndTwentyAreEnough) {
  SequenceDef s = testing::sample_sequence();
  s.name = "";
  s.programs[0].body.assign(30, kNone);
  const auto errors = validate(s);
  EXPECT_EQ(errors.size(), 20U);
  EXPECT_EQ(errors[0].code, "V001");
  s.programs[0].body.assign(3, kNone);
  EXPECT_EQ(validate(s).back().code, "V010");
}

}  // namespace
}  // namespace vyre::ir
