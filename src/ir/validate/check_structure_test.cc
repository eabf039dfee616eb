#include <gtest/gtest.h>

#include "testing/mistakes.h"

namespace vyre::ir {
namespace {

using testing::Mistake;
using testing::NodeMaker;
using testing::Sample;

const Mistake kReferences[] = {
    {"V001", "program \"sample\": statement 0 lacks a required expression; give it one",
     [](Sample& s) { s.at(s.let_i).args[0] = kNone; }},
    {"V001",
     "program \"sample\": statement 0 refers to expression 1000, but ids end at 45; use one below "
     "that",
     [](Sample& s) { s.at(s.let_i).args[0] = 1000; }},
    {"V001", "program \"sample\": statement 0 lacks a required variable; give it one",
     [](Sample& s) { s.at(s.let_i).variable = kNone; }},
    {"V001",
     "program \"sample\": statement 8 refers to buffer 5, but ids end at 5; use one below that",
     [](Sample& s) { s.at(s.store_y).buffer = 5; }},
    {"V001",
     "program \"sample\": statement 4 refers to variable 5, but ids end at 5; use one below that",
     [](Sample& s) { s.at(s.add_acc).variable = 5; }},
    {"V001",
     "program \"sample\": expression 10 refers to id 18, but ids end at 18; use one below that",
     [](Sample& s) { s.arg(s.let_i, 0).index = 18; }},
    {"V001",
     "program \"sample\": expression 41 refers to buffer 5, but ids end at 5; use one below that",
     [](Sample& s) { s.arg(s.let_v, 0).index = 5; }},
    {"V001",
     "program \"sample\": expression 5 refers to symbol 3, but ids end at 3; use one below that",
     [](Sample& s) { s.expr(s.program.workgroup[0]).index = 3; }},
    {"V001",
     "program \"sample\": expression 30 refers to variable 5, but ids end at 5; use one below that",
     [](Sample& s) { s.arg(s.store_y, 0).index = 5; }},
    {"V001", "program \"sample\": buffer 0 lacks a required expression; give it one",
     [](Sample& s) { s.program.buffers[0].length = kNone; }},
    {"V001",
     "program \"sample\": grid axis 1 refers to expression 500, but ids end at 45; use one below "
     "that",
     [](Sample& s) { s.program.grid[1] = 500; }},
    {"V001", "program \"sample\": body entry 11 lacks a required statement; give it one",
     [](Sample& s) { s.program.body.push_back(kNone); }},
    {"V001",
     "program \"sample\": statement 5 refers to expression 12345, but ids end at 45; use one below "
     "that",
     [](Sample& s) { s.at(s.loop).unroll = 12345; }},
};

const Mistake kStray[] = {
    {"V001",
     "program \"sample\": statement 0 sets args, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.at(s.let_i).args[1] = 0; }},
    {"V001",
     "program \"sample\": expression 10 sets args, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.arg(s.let_i, 0).args[3] = 0; }},
    {"V001",
     "program \"sample\": expression 10 sets bits, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.arg(s.let_i, 0).bits = 1; }},
    {"V001",
     "program \"sample\": expression 34 sets index, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.arg(s.branch, 0).index = 1; }},
    {"V001",
     "program \"sample\": statement 3 sets variable, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.at(s.barrier).variable = 0; }},
    {"V001",
     "program \"sample\": statement 3 sets buffer, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.at(s.barrier).buffer = 0; }},
    {"V001",
     "program \"sample\": statement 0 sets unroll, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.at(s.let_i).unroll = 0; }},
    {"V001",
     "program \"sample\": statement 0 sets atomic, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.at(s.let_i).atomic = AtomicOp::max; }},
    {"V001",
     "program \"sample\": statement 5 sets name, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.at(s.loop).name = "k"; }},
    {"V001",
     "program \"sample\": statement 15 sets otherwise, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.at(s.region).otherwise.swap(s.at(s.region).body); }},
    {"V001",
     "program \"sample\": symbol 1 sets default_bits, for which it has no use; leave that at its "
     "default",
     [](Sample& s) { s.program.symbols[1].default_bits = 1; }},
    {"V001",
     "program \"sample\": symbol 0 sets values, for which it has no use; leave that at its default",
     [](Sample& s) { s.program.symbols[0].values = {1}; }},
    {"V004",
     "program \"sample\": it has 1025 values of one tunable; the limit is 1024, so split it",
     [](Sample& s) { s.program.symbols[Sample::t].values.resize(1025); }},
};

const Mistake kUnknown[] = {
    {"V001", "program \"sample\": expression 10 has an unknown op; use one that there is",
     [](Sample& s) { s.arg(s.let_i, 0).op = static_cast<Op>(200); }},
    {"V001", "program \"sample\": expression 10 has an unknown type; use one that there is",
     [](Sample& s) { s.arg(s.let_i, 0).type.scalar = static_cast<Scalar>(6); }},
    {"V001", "program \"sample\": statement 3 has an unknown kind; use one that there is",
     [](Sample& s) { s.at(s.barrier).kind = static_cast<StmtKind>(10); }},
    {"V001",
     "program \"sample\": statement 11 has an unknown atomic operation; use one that there is",
     [](Sample& s) { s.at(s.count_up).atomic = static_cast<AtomicOp>(5); }},
    {"V001", "program \"sample\": symbol 1 has an unknown kind; use one that there is",
     [](Sample& s) { s.program.symbols[1].kind = static_cast<SymbolKind>(3); }},
    {"V001", "program \"sample\": symbol 1 has an unknown type; use one that there is",
     [](Sample& s) { s.program.symbols[1].type = static_cast<Scalar>(255); }},
    {"V001", "program \"sample\": buffer 0 has an unknown access; use one that there is",
     [](Sample& s) { s.program.buffers[0].access = static_cast<Access>(5); }},
    {"V001", "program \"sample\": buffer 0 has an unknown element type; use one that there is",
     [](Sample& s) { s.program.buffers[0].element = static_cast<Scalar>(9); }},
    {"V001", "program \"sample\": variable 0 has an unknown type; use one that there is",
     [](Sample& s) { s.program.variables[0].type.scalar = static_cast<Scalar>(9); }},
    {"V001", "program \"sample\": expression 34 has an unknown width; use one that there is",
     [](Sample& s) {
       s.arg(s.branch, 0).op = Op::vector;
       s.arg(s.branch, 0).type.width = 3;
       s.arg(s.branch, 0).args[2] = 0;
     }},
};

const Mistake kTree[] = {
    {"V002",
     "program \"sample\": expression 34 refers to expression 34, which does not come before it; "
     "put children first",
     [](Sample& s) { s.arg(s.branch, 0).args[0] = s.at(s.branch).args[0]; }},
    {"V002",
     "program \"sample\": statement 15 refers to statement 15, which does not come before it; put "
     "children first",
     [](Sample& s) { s.at(s.region).body[0] = s.region; }},
    {"V003", "program \"sample\": expression 45 is used 0 times; it must be exactly once",
     [](Sample& s) { NodeMaker(s.program).u32(7); }},
    {"V003", "program \"sample\": statement 16 is used 0 times; it must be exactly once",
     [](Sample& s) { NodeMaker(s.program).barrier(); }},
    {"V003", "program \"sample\": statement 3 is used 2 times; it must be exactly once",
     [](Sample& s) { s.program.body.push_back(s.barrier); }},
    {"V003", "program \"sample\": variable 5 is introduced 0 times; it must be exactly once",
     [](Sample& s) { s.program.variables.push_back({"w", {Scalar::u32, 1}, false}); }},
    {"V003", "program \"sample\": variable 0 is introduced 2 times; it must be exactly once",
     [](Sample& s) {
       NodeMaker make(s.program);
       s.program.body.push_back(make.let("w", {Scalar::u32, 1}, make.u32(0)));
       s.program.variables.pop_back();
       s.program.stmts.back().variable = Sample::i;
     }},
};

void nest_ifs(Sample& s, std::size_t levels) {
  NodeMaker make(s.program);
  StmtId inner = make.barrier();
  for (std::size_t i = 1; i < levels; ++i) {
    inner = make.if_(make.op(Op::eq, {make.u32(1), make.u32(1)}), {inner});
  }
  s.program.body.push_back(inner);
}

void nest_exprs(Sample& s, std::size_t levels) {
  NodeMaker make(s.program);
  ExprId inner = make.u32(0);
  for (std::size_t i = 1; i < levels; ++i) inner = make.op(Op::not_, {inner});
  s.program.body.push_back(make.let("deep", {Scalar::u32, 1}, inner));
}

const Mistake kLimits[] = {
    {"V004", "program \"sample\": it has 100001 nodes; the limit is 100000, so split it",
     [](Sample& s) {
       NodeMaker make(s.program);
       while (s.program.exprs.size() + s.program.stmts.size() <= Limits::kNodes) {
         s.program.body.push_back(make.barrier());
       }
     }},
    {"V004", "program \"sample\": it has 1029 declarations; the limit is 1024, so split it",
     [](Sample& s) { s.program.symbols.resize(Limits::kDeclarations); }},
    {"V004", "program \"sample\": it has 100001 variables; the limit is 100000, so split it",
     [](Sample& s) { s.program.variables.resize(Limits::kNodes + 1); }},
    {"V005", "program \"sample\": statement 80 nests 65 levels; the limit is 64, so flatten it",
     [](Sample& s) { nest_ifs(s, Limits::kStmtDepth + 1); }},
    {"V005", "program \"sample\": statement 80 nests 65 levels; the limit is 64, so flatten it",
     [](Sample& s) { nest_ifs(s, 20'000); }},
    {"V006",
     "program \"sample\": expression 173 has 129 levels; the limit is 128, so use variables",
     [](Sample& s) { nest_exprs(s, Limits::kExprDepth + 1); }},
    {"V006",
     "program \"sample\": expression 173 has 129 levels; the limit is 128, so use variables",
     [](Sample& s) { nest_exprs(s, 90'000); }},
};

TEST(ValidateStructure, References) { testing::expect_mistakes(kReferences); }
TEST(ValidateStructure, StrayFields) { testing::expect_mistakes(kStray); }
TEST(ValidateStructure, UnknownValues) { testing::expect_mistakes(kUnknown); }
TEST(ValidateStructure, Tree) { testing::expect_mistakes(kTree); }
TEST(ValidateStructure, Limits) { testing::expect_mistakes(kLimits); }

TEST(ValidateStructure, TheLimitsThemselvesAreValid) {
  Sample s = testing::sample();
  nest_exprs(s, Limits::kExprDepth);
  EXPECT_EQ(validate(s.program), std::vector<Error>{});

  Sample t;
  t.program.name = "deep";
  nest_ifs(t, Limits::kStmtDepth);
  EXPECT_EQ(validate(t.program), std::vector<Error>{});
}

TEST(ValidateStructure, StopsAtTwentyErrors) {
  Sample s = testing::sample();
  for (int i = 0; i < 50; ++i) s.program.body.push_back(kNone);
  EXPECT_EQ(validate(s.program).size(), 20U);
}

}  // namespace
}  // namespace vyre::ir
