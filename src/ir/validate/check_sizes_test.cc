#include <gtest/gtest.h>

#include "ir/ops.h"
#include "testing/mistakes.h"

namespace vyre::ir {
namespace {

using testing::Mistake;
using testing::NodeMaker;
using testing::Sample;

Expr constant(Type type, std::uint64_t bits) {
  return {.op = Op::constant, .type = type, .bits = bits};
}

const Mistake kSizes[] = {
    {"V007", "program \"sample\", grid axis 1: the size has 2047 nodes; simplify it to 1024",
     [](Sample& s) {
       NodeMaker make(s.program);
       std::vector<ExprId> level;
       for (int i = 0; i < 1024; ++i) level.push_back(make.u32(1));
       while (level.size() > 1) {
         std::vector<ExprId> next;
         for (std::size_t i = 0; i < level.size(); i += 2) {
           next.push_back(make.op(Op::max, {level[i], level[i + 1]}));
         }
         level = next;
       }
       s.program.grid[1] = level[0];
     }},
    {"V060",
     "program \"sample\", grid axis 1: \"local_size(0)\" cannot be part of a size; use constants, "
     "symbols, lengths and operations on them",
     [](Sample& s) { s.program.grid[1] = NodeMaker(s.program).id(IdKind::local_size, 0); }},
    {"V060",
     "program \"sample\", grid axis 1: \"count[0u]\" cannot be part of a size; use constants, "
     "symbols, lengths and operations on them",
     [](Sample& s) {
       NodeMaker make(s.program);
       s.program.grid[1] = make.load(Sample::count, make.u32(0));
     }},
    {"V060",
     "program \"sample\", buffer \"y\": \"length(y)\" cannot be part of a size; use constants, "
     "symbols and operations on them",
     [](Sample& s) {
       s.expr(s.program.buffers[Sample::y].length) = {
           .op = Op::length, .type = kU32, .index = Sample::y};
     }},
    {"V060",
     "program \"sample\", statement \"for k: u32 in 0u .. 4u step 2u unroll i { ... }\": \"i\" "
     "cannot be part of a size; use constants, symbols and operations on them",
     [](Sample& s) {
       s.expr(s.at(s.loop).unroll) = {.op = Op::variable, .type = kU32, .index = Sample::i};
     }},
    {"V061",
     "program \"sample\", workgroup axis 0: \"n\" is known only at dispatch; use constants and "
     "tunables here",
     [](Sample& s) { s.expr(s.program.workgroup[0]).index = Sample::n; }},
    {"V061",
     "program \"sample\", buffer \"tile\": \"n\" is known only at dispatch; use constants and "
     "tunables here",
     [](Sample& s) { s.expr(s.program.buffers[Sample::tile].length).index = Sample::n; }},
    {"V062", "program \"sample\", workgroup axis 1: the size \"2ul\" is u64; it must be u32",
     [](Sample& s) { s.expr(s.program.workgroup[1]).type = {Scalar::u64, 1}; }},
    {"V062", "program \"sample\", buffer \"count\": the size \"4i\" is i32; it must be u32",
     [](Sample& s) {
       s.expr(s.program.buffers[Sample::count].length) = constant({Scalar::i32, 1}, 4);
     }},
    {"V062",
     "program \"sample\", statement \"for k: u32 in 0u .. 4u step 2u unroll 0f { ... }\": the size "
     "\"0f\" is f32; it must be u32",
     [](Sample& s) { s.expr(s.at(s.loop).unroll) = constant({Scalar::f32, 1}, 0); }},
};

const Mistake kExtents[] = {
    {"V063", "program \"sample\", workgroup axis 1: the size \"0u\" is 0; make it at least 1",
     [](Sample& s) { s.expr(s.program.workgroup[1]).bits = 0; }},
    {"V063", "program \"sample\", workgroup axis 2: the size \"t / 16u\" is 0; make it at least 1",
     [](Sample& s) {
       NodeMaker make(s.program);
       const ExprId t = make.symbol(Sample::t);
       s.program.workgroup[2] = make.op(Op::div, {t, make.u32(16)});
     }},
    {"V063", "program \"sample\", grid axis 1: the size \"0u\" is 0; make it at least 1",
     [](Sample& s) { s.program.grid[1] = NodeMaker(s.program).u32(0); }},
    {"V064",
     "program \"sample\", workgroup axis 1: the workgroup has 4294967296 invocations or more; make "
     "it smaller",
     [](Sample& s) {
       s.expr(s.program.workgroup[0]) = constant(kU32, 1U << 16);
       s.expr(s.program.workgroup[1]).bits = 1U << 16;
     }},
    {"V065", "program \"sample\", buffer \"acc\": the length \"0u\" is 0; make it at least 1",
     [](Sample& s) { s.expr(s.program.buffers[Sample::acc].length).bits = 0; }},
    {"V066",
     "program \"sample\", buffer \"acc\": local and private arrays up to here have 16777220 "
     "elements; the limit is 16777216, so shrink them",
     [](Sample& s) { s.program.symbols[Sample::t].default_bits = 1U << 24; }},
};

const Mistake kBounds[] = {
    {"V080",
     "program \"sample\", statement \"let old: u32 = atomic_add(count, 4u, 1u)\": the index \"4u\" "
     "is outside \"count\", which has 4 elements; lower it",
     [](Sample& s) { s.arg(s.count_up, 0).bits = 4; }},
    {"V080",
     "program \"sample\", statement \"y[-1i] = v.1\": the index \"-1i\" into \"y\" is negative; "
     "raise it",
     [](Sample& s) { s.arg(s.store_end, 0) = constant({Scalar::i32, 1}, 0xffffffff); }},
    {"V080",
     "program \"sample\", statement \"y[-1l] = v.1\": the index \"-1l\" into \"y\" is negative; "
     "raise it",
     [](Sample& s) { s.arg(s.store_end, 0) = constant({Scalar::i64, 1}, UINT64_MAX); }},
    {"V080",
     "program \"sample\", statement \"let v: f32x4 = x.x4[2u]\": the index \"2u\" is outside "
     "\"x\", which has 9 elements; lower it (it counts in steps of 4)",
     [](Sample& s) {  // elements 8 to 11 of 9
       s.expr(s.program.buffers[Sample::x].length) = constant(kU32, 9);
       s.expr(s.arg(s.let_v, 0).args[0]).bits = 2;
     }},
    {"V080",
     "program \"sample\", statement \"s = s + acc[4u]\": the index \"4u\" is outside \"acc\", "
     "which has 4 elements; lower it",
     [](Sample& s) { s.expr(s.expr(s.arg(s.add_acc, 0).args[1]).args[0]) = constant(kU32, 4); }},
};

TEST(ValidateSizes, OneMistakeEach) { testing::expect_mistakes(kSizes); }
TEST(ValidateExtents, OneMistakeEach) { testing::expect_mistakes(kExtents); }
TEST(ValidateBounds, OneMistakeEach) { testing::expect_mistakes(kBounds); }

TEST(ValidateBounds, WhatDependsOnATunableIsLeftToTheTuner) {
  Sample s = testing::sample();
  s.arg(s.store_tile, 0) = constant(kU32, 8);  // tile has t = 8 elements
  EXPECT_EQ(validate(s.program), std::vector<Error>{});
}

}  // namespace
}  // namespace vyre::ir
