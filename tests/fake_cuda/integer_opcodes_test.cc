// Integer and bit opcodes: inputs and expected bits, each worked out by hand from PTX's manual.

#include <gtest/gtest.h>

#include "fake_cuda/opcode_cases.h"

namespace vyre::fake_cuda_test {
namespace {

constexpr std::uint64_t kMinus1 = ~std::uint64_t{0};

TEST(IntegerOpcodes, Arithmetic) {
  expect_results(std::vector<OpcodeCase>{
      {"add.s32 %r4, %r1, %r2;", 0xFFFFFFFF, 2, 0, 1},
      {"add.s32 %r4, %r1, -5;", 3, 0, 0, 0xFFFFFFFE},
      {"add.u16 %rs4, %rs1, %rs2;", 0xFFFF, 3, 0, 2},
      {"add.s64 %rd4, %rd1, %rd2;", kMinus1, 2, 0, 1},
      {"add.sat.s32 %r4, %r1, %r2;", 0x7FFFFFFF, 1, 0, 0x7FFFFFFF},
      {"sub.sat.s32 %r4, %r1, %r2;", 0x80000000, 1, 0, 0x80000000},
      {"sub.s32 %r4, %r1, %r2;", 1, 2, 0, 0xFFFFFFFF},
      {"mul.lo.s32 %r4, %r1, %r2;", 0x10001, 0x10001, 0, 0x20001},
      {"mul.lo.u16 %rs4, %rs1, %rs2;", 0xFFFF, 0xFFFF, 0, 1},
      {"mul.hi.u32 %r4, %r1, %r2;", 0xFFFFFFFF, 0xFFFFFFFF, 0, 0xFFFFFFFE},
      {"mul.hi.s32 %r4, %r1, %r2;", 0xFFFFFFFF, 0xFFFFFFFF, 0, 0},
      {"mul.hi.u64 %rd4, %rd1, %rd2;", kMinus1, kMinus1, 0, kMinus1 - 1},
      {"mul.hi.s64 %rd4, %rd1, %rd2;", kMinus1, 5, 0, kMinus1},
      {"mul.wide.s32 %rd4, %r1, %r2;", 0xFFFFFFFF, 3, 0, kMinus1 - 2},
      {"mul.wide.u32 %rd4, %r1, %r2;", 0xFFFFFFFF, 3, 0, 0x2FFFFFFFD},
      {"mul.wide.s16 %r4, %rs1, %rs2;", 0x8000, 0x8000, 0, 0x40000000},
      {"mad.lo.s32 %r4, %r1, %r2, %r3;", 7, 6, 0xFFFFFFFF, 41},
      {"mad.hi.u32 %r4, %r1, %r2, %r3;", 0x80000000, 4, 5, 7},
      {"mad.wide.u32 %rd4, %r1, %r2, %rd3;", 0xFFFFFFFF, 2, 5, 0x200000003},
      {"mad.lo.u64 %rd4, %rd1, %rd2, %rd3;", 1000000007, 1000000009, 1, 1000000016000000064},
      {"mul24.lo.u32 %r4, %r1, %r2;", 0xFF000003, 5, 0, 15},
      {"div.s32 %r4, %r1, %r2;", 0xFFFFFFF9, 2, 0, 0xFFFFFFFD},
      {"div.s32 %r4, %r1, %r2;", 0x80000000, 0xFFFFFFFF, 0, 0x80000000},
      {"div.u32 %r4, %r1, %r2;", 0xFFFFFFF9, 2, 0, 0x7FFFFFFC},
      {"div.u32 %r4, %r1, %r2;", 7, 0, 0, 0xFFFFFFFF},
      {"rem.s32 %r4, %r1, %r2;", 0xFFFFFFF9, 2, 0, 0xFFFFFFFF},
      {"rem.s64 %rd4, %rd1, %rd2;", std::uint64_t{1} << 63, kMinus1, 0, 0},
      {"rem.u64 %rd4, %rd1, %rd2;", 100, 7, 0, 2},
      {"abs.s32 %r4, %r1;", 0xFFFFFFFB, 0, 0, 5},
      {"abs.s32 %r4, %r1;", 0x80000000, 0, 0, 0x80000000},
      {"neg.s64 %rd4, %rd1;", 1, 0, 0, kMinus1},
      {"min.s32 %r4, %r1, %r2;", 0xFFFFFFFF, 1, 0, 0xFFFFFFFF},
      {"min.u32 %r4, %r1, %r2;", 0xFFFFFFFF, 1, 0, 1},
      {"max.s64 %rd4, %rd1, %rd2;", kMinus1, 1, 0, 1},
      {"max.u16 %rs4, %rs1, %rs2;", 0xFFFF, 1, 0, 0xFFFF},
      {"sad.u32 %r4, %r1, %r2, %r3;", 3, 10, 100, 107},
      {"dp4a.s32.s32 %r4, %r1, %r2, %r3;", 0xFF020304, 0x01010101, 10, 18},
      {"dp4a.u32.u32 %r4, %r1, %r2, %r3;", 0xFF020304, 0x01010101, 10, 274},
  });
}

TEST(IntegerOpcodes, Carries) {
  expect_results(std::vector<OpcodeCase>{
      {"add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, %r3, 0;", 0xFFFFFFFF, 1, 7, 8},
      {"add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, %r3, 0;", 0xFFFFFFFE, 1, 7, 7},
      {"sub.cc.u32 %r5, %r1, %r2; subc.u32 %r4, %r3, 0;", 1, 2, 7, 6},
      {"add.cc.s64 %rd5, %rd1, %rd2; addc.cc.s64 %rd6, %rd1, %rd2; addc.s64 %rd4, 0, 0;", kMinus1,
       kMinus1, 0, 1},
      {"mad.lo.cc.u32 %r5, %r1, %r2, %r3; madc.hi.u32 %r4, %r1, %r2, 0;", 0x80000001, 4, 0xFFFFFFFC,
       3},
  });
}

TEST(IntegerOpcodes, Bits) {
  expect_results(std::vector<OpcodeCase>{
      {"and.b32 %r4, %r1, %r2;", 0xFF00FF00, 0x0FF00FF0, 0, 0x0F000F00},
      {"or.b64 %rd4, %rd1, %rd2;", 0xF0, std::uint64_t{1} << 40, 0, 0x100000000F0},
      {"xor.b16 %rs4, %rs1, %rs2;", 0xFFFF, 0x0F0F, 0, 0xF0F0},
      {"not.b32 %r4, %r1;", 0, 0, 0, 0xFFFFFFFF},
      {"cnot.b32 %r4, %r1;", 0, 0, 0, 1},
      {"and.pred %p4, %p1, %p2;", 1, 0, 0, 0},
      {"or.pred %p4, %p1, %p2;", 1, 0, 0, 1},
      {"not.pred %p4, %p1;", 1, 0, 0, 0},
      {"shl.b32 %r4, %r1, %r2;", 1, 31, 0, 0x80000000},
      {"shl.b32 %r4, %r1, %r2;", 1, 32, 0, 0},
      {"shl.b64 %rd4, %rd1, %r2;", 1, 99, 0, 0},
      {"shr.u32 %r4, %r1, %r2;", 0x80000000, 31, 0, 1},
      {"shr.s32 %r4, %r1, %r2;", 0x80000000, 99, 0, 0xFFFFFFFF},
      {"shr.s64 %rd4, %rd1, 60;", std::uint64_t{1} << 63, 0, 0, kMinus1 - 7},
      {"shr.b16 %rs4, %rs1, 4;", 0x8000, 0, 0, 0x0800},
      {"popc.b64 %r4, %rd1;", kMinus1, 0, 0, 64},
      {"clz.b32 %r4, %r1;", 0, 0, 0, 32},
      {"clz.b64 %r4, %rd1;", 1, 0, 0, 63},
      {"brev.b32 %r4, %r1;", 0x00000003, 0, 0, 0xC0000000},
      {"bfind.u32 %r4, %r1;", 0x00010000, 0, 0, 16},
      {"bfind.s32 %r4, %r1;", 0xFFFFFFFF, 0, 0, 0xFFFFFFFF},
      {"bfind.shiftamt.u32 %r4, %r1;", 0x00010000, 0, 0, 15},
      {"bfe.u32 %r4, %r1, %r2, %r3;", 0xABCD1234, 8, 8, 0x12},
      {"bfe.s32 %r4, %r1, %r2, %r3;", 0xABCD1234, 24, 8, 0xFFFFFFAB},
      {"bfe.s32 %r4, %r1, %r2, %r3;", 0xABCD1234, 28, 20, 0xFFFFFFFA},
      {"bfe.u64 %rd4, %rd1, %r2, %r3;", kMinus1, 4, 0, 0},
      {"bfi.b32 %r4, %r1, %r2, 8, 4;", 0x5, 0xFFFFFFFF, 0, 0xFFFFF5FF},
      {"bfi.b64 %rd4, %rd1, %rd2, 32, 32;", 7, 9, 0, 0x700000009},
      {"prmt.b32 %r4, %r1, %r2, 0x7531;", 0x33221100, 0x77665544, 0, 0x77553311},
      {"prmt.b32 %r4, %r1, %r2, 0x0008;", 0x33221180, 0x77665544, 0, 0x808080FF},
      {"lop3.b32 %r4, %r1, %r2, %r3, 0x96;", 0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA, 0x96969696},
      {"lop3.b32 %r4, %r1, %r2, %r3, 0xEA;", 0x0F, 0x05, 0xF0, 0xF5},
      {"shf.l.wrap.b32 %r4, %r1, %r2, 8;", 0x11223344, 0xAABBCCDD, 0, 0xBBCCDD11},
      {"shf.r.wrap.b32 %r4, %r1, %r2, 40;", 0x11223344, 0xAABBCCDD, 0, 0xDD112233},
      {"shf.r.clamp.b32 %r4, %r1, %r2, 40;", 0x11223344, 0xAABBCCDD, 0, 0xAABBCCDD},
  });
}

TEST(IntegerOpcodes, ComparisonsAndChoices) {
  expect_results(std::vector<OpcodeCase>{
      {"setp.lt.s32 %p4, %r1, %r2;", 0xFFFFFFFF, 1, 0, 1},
      {"setp.lt.u32 %p4, %r1, %r2;", 0xFFFFFFFF, 1, 0, 0},
      {"setp.lo.u32 %p4, %r1, %r2;", 1, 0xFFFFFFFF, 0, 1},
      {"setp.hs.u64 %p4, %rd1, %rd2;", kMinus1, 1, 0, 1},
      {"setp.ge.s64 %p4, %rd1, %rd2;", kMinus1, 1, 0, 0},
      {"setp.ne.b16 %p4, %rs1, %rs2;", 0x10001, 1, 0, 0},
      {"setp.gt.and.s32 %p4, %r1, %r2, %p3;", 2, 1, 0, 0},
      {"setp.gt.and.s32 %p4, %r1, %r2, !%p3;", 2, 1, 0, 1},
      {"setp.gt.or.s32 %p4, %r1, %r2, %p3;", 1, 2, 1, 1},
      {"setp.gt.xor.s32 %p4, %r1, %r2, %p3;", 2, 1, 1, 0},
      {"setp.eq.s32 %p5|%p4, %r1, %r2;", 2, 1, 0, 1},
      {"set.lt.u32.s32 %r4, %r1, %r2;", 0xFFFFFFFF, 0, 0, 0xFFFFFFFF},
      {"set.lt.f32.s32 %f4, %r1, %r2;", 0xFFFFFFFF, 0, 0, 0x3F800000},
      {"selp.b32 %r4, %r1, %r2, %p3;", 11, 22, 1, 11},
      {"selp.b64 %rd4, %rd1, 5, %p3;", 11, 22, 0, 5},
      {"slct.b32.s32 %r4, %r1, %r2, %r3;", 11, 22, 0xFFFFFFFF, 22},
      {"@%p1 mov.u32 %r4, 1; @!%p1 mov.u32 %r4, 2;", 0, 0, 0, 2},
      {"@%p1 mov.u32 %r4, 1; @!%p1 mov.u32 %r4, 2;", 1, 0, 0, 1},
  });
}

TEST(IntegerOpcodes, MovesAndVectors) {
  expect_results(std::vector<OpcodeCase>{
      {"mov.b64 %rd4, {%r1, %r2};", 0x11111111, 0x22222222, 0, 0x2222222211111111},
      {"mov.b64 {%r5, %r4}, %rd1;", 0x2222222211111111, 0, 0, 0x22222222},
      {"mov.b64 {_, %r4}, %rd1;", 0x2222222211111111, 0, 0, 0x22222222},
      {"mov.b32 %r4, {%rs1, %rs2};", 0xAAAA, 0xBBBB, 0, 0xBBBBAAAA},
      {"mov.b32 {%rs5, %rs4}, %r1;", 0xBBBBAAAA, 0, 0, 0xBBBB},
      {"mov.u32 %r4, WARP_SZ;", 0, 0, 0, 32},
      {"{ .reg .b32 %r4a; .reg .b32 %r1; mov.u32 %r1, 9; mov.u32 %r4, %r1; }", 1, 0, 0, 9},
      {"{ .reg .b32 t; mov.u32 t, 3; add.u32 %r4, t, %r1; }", 4, 0, 0, 7},
      {"mov.u32 %r4, 0x1F; add.u32 %r4, %r4, 0b11; add.u32 %r4, %r4, 010;", 0, 0, 0, 42},
  });
}

}  // namespace
}  // namespace vyre::fake_cuda_test
