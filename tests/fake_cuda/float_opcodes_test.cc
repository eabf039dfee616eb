// Floating point opcodes and conversions: inputs and expected bits.

#include <gtest/gtest.h>

#include "fake_cuda/opcode_cases.h"

namespace vyre::fake_cuda_test {
namespace {

constexpr std::uint64_t kOne = 0x3F800000, kTwo = 0x40000000, kThree = 0x40400000;
constexpr std::uint64_t kNan = 0x7FC00000, kInfinity = 0x7F800000, kMinusZero = 0x80000000;
constexpr std::uint64_t kTiny = 0x00000001, kSmallestNormal = 0x00800000;
constexpr std::uint64_t kCardNan = 0x7FFFFFFF;
constexpr std::uint64_t kOneD = 0x3FF0000000000000, kThreeD = 0x4008000000000000;
constexpr std::uint64_t kNanD = 0x7FF8000000000000;

TEST(FloatOpcodes, ArithmeticIsRoundedCorrectly) {
  expect_results(std::vector<OpcodeCase>{
      {"add.f32 %f4, %f1, %f2;", kOne, kTwo, 0, kThree},
      {"add.rn.f32 %f4, %f1, %f2;", kOne, 0x33800000, 0, kOne},  // 1 + 2^-24: to even
      {"add.rp.f32 %f4, %f1, %f2;", kOne, 0x33000000, 0, 0x3F800001},
      {"add.rz.f32 %f4, %f1, %f2;", kOne, 0xB3000000, 0, 0x3F7FFFFF},
      {"add.rm.f32 %f4, %f1, %f2;", kOne, 0x33800000, 0, kOne},
      {"add.sat.f32 %f4, %f1, %f2;", kOne, kTwo, 0, kOne},
      {"add.f32 %f4, %f1, %f2;", kInfinity, 0xFF800000, 0, kCardNan},
      {"add.f32 %f4, %f1, %f2;", kTiny, kTiny, 0, 2},
      {"add.ftz.f32 %f4, %f1, %f2;", kTiny, 0x80000001, 0, 0},
      {"sub.f32 %f4, %f1, %f2;", kOne, kThree, 0, 0xC0000000},
      {"mul.f32 %f4, %f1, %f2;", kThree, kThree, 0, 0x41100000},
      {"mul.ftz.f32 %f4, %f1, %f2;", kSmallestNormal, 0xBF000000, 0, kMinusZero},
      {"mul.rn.f32 %f4, %f1, 0f40400000;", kTwo, 0, 0, 0x40C00000},
      {"fma.rn.f32 %f4, %f1, %f2, %f3;", 0x3F800001, 0x3F800001, 0xBF800002, 0x28800000},
      {"fma.rz.f32 %f4, %f1, %f2, %f3;", kOne, kOne, 0xB3000000, 0x3F7FFFFF},
      {"div.rn.f32 %f4, %f1, %f2;", kOne, kThree, 0, 0x3EAAAAAB},
      {"div.rz.f32 %f4, %f1, %f2;", kOne, kThree, 0, 0x3EAAAAAA},
      {"div.rn.f32 %f4, %f1, %f2;", kOne, kMinusZero, 0, 0xFF800000},
      {"div.approx.ftz.f32 %f4, %f1, %f2;", kThree, kTwo, 0, 0x3FC00000},
      {"div.full.f32 %f4, %f1, %f2;", kThree, kTwo, 0, 0x3FC00000},
      {"sqrt.rn.f32 %f4, %f1;", kTwo, 0, 0, 0x3FB504F3},
      {"sqrt.rn.f32 %f4, %f1;", 0xBF800000, 0, 0, kCardNan},
      {"rcp.rn.f32 %f4, %f1;", kThree, 0, 0, 0x3EAAAAAB},
      {"rsqrt.approx.f32 %f4, %f1;", 0x40800000, 0, 0, 0x3F000000},
      {"neg.f32 %f4, %f1;", 0, 0, 0, kMinusZero},
      {"abs.ftz.f32 %f4, %f1;", 0x80000001, 0, 0, 0},
      {"copysign.f32 %f4, %f1, %f2;", 0xBF800000, kTwo, 0, 0xC0000000},
  });
}

TEST(FloatOpcodes, MinimumMaximumAndClasses) {
  expect_results(std::vector<OpcodeCase>{
      {"min.f32 %f4, %f1, %f2;", kNan, kTwo, 0, kTwo},
      {"min.f32 %f4, %f1, %f2;", kTwo, kNan, 0, kTwo},
      {"min.f32 %f4, %f1, %f2;", kNan, kNan, 0, kCardNan},
      {"min.f32 %f4, %f1, %f2;", 0, kMinusZero, 0, kMinusZero},
      {"max.f32 %f4, %f1, %f2;", kMinusZero, 0, 0, 0},
      {"max.NaN.f32 %f4, %f1, %f2;", kNan, kTwo, 0, kCardNan},
      {"testp.finite.f32 %p4, %f1;", kInfinity, 0, 0, 0},
      {"testp.infinite.f32 %p4, %f1;", kInfinity, 0, 0, 1},
      {"testp.notanumber.f32 %p4, %f1;", kNan, 0, 0, 1},
      {"testp.number.f32 %p4, %f1;", kNan, 0, 0, 0},
      {"testp.subnormal.f32 %p4, %f1;", kTiny, 0, 0, 1},
      {"testp.normal.f64 %p4, %fd1;", kOneD, 0, 0, 1},
  });
}

TEST(FloatOpcodes, Functions) {
  expect_results(std::vector<OpcodeCase>{
      {"ex2.approx.f32 %f4, %f1;", kThree, 0, 0, 0x41000000},
      {"ex2.approx.ftz.f32 %f4, %f1;", 0xC3020000, 0, 0, 0},  // 2^-130
      {"lg2.approx.f32 %f4, %f1;", 0x41000000, 0, 0, kThree},
      {"lg2.approx.f32 %f4, %f1;", 0, 0, 0, 0xFF800000},
      {"sin.approx.f32 %f4, %f1;", kOne, 0, 0, 0x3F576AA4},
      {"cos.approx.f32 %f4, %f1;", 0, 0, 0, kOne},
      {"tanh.approx.f32 %f4, %f1;", kInfinity, 0, 0, kOne},
  });
}

TEST(FloatOpcodes, Doubles) {
  expect_results(std::vector<OpcodeCase>{
      {"add.f64 %fd4, %fd1, %fd2;", kOneD, kOneD, 0, 0x4000000000000000},
      {"add.rp.f64 %fd4, %fd1, %fd2;", kOneD, 1, 0, kOneD + 1},
      {"mul.rn.f64 %fd4, %fd1, 0d4008000000000000;", kOneD, 0, 0, kThreeD},
      {"fma.rn.f64 %fd4, %fd1, %fd2, %fd3;", kThreeD, kThreeD, kOneD, 0x4024000000000000},
      {"div.rn.f64 %fd4, %fd1, %fd2;", kOneD, kThreeD, 0, 0x3FD5555555555555},
      {"sqrt.rn.f64 %fd4, %fd1;", kThreeD, 0, 0, 0x3FFBB67AE8584CAA},
      {"rcp.rn.f64 %fd4, %fd1;", kThreeD, 0, 0, 0x3FD5555555555555},
      {"min.f64 %fd4, %fd1, %fd2;", kNanD, kOneD, 0, kOneD},
      {"neg.f64 %fd4, %fd1;", kOneD, 0, 0, 0xBFF0000000000000},
      {"setp.ltu.f64 %p4, %fd1, %fd2;", kNanD, kOneD, 0, 1},
  });
}

TEST(FloatOpcodes, ComparisonsWithNan) {
  expect_results(std::vector<OpcodeCase>{
      {"setp.lt.f32 %p4, %f1, %f2;", kNan, kOne, 0, 0},
      {"setp.ltu.f32 %p4, %f1, %f2;", kNan, kOne, 0, 1},
      {"setp.ltu.f32 %p4, %f1, %f2;", kTwo, kOne, 0, 0},
      {"setp.ne.f32 %p4, %f1, %f2;", kNan, kOne, 0, 0},
      {"setp.neu.f32 %p4, %f1, %f2;", kNan, kOne, 0, 1},
      {"setp.equ.f32 %p4, %f1, %f2;", kNan, kOne, 0, 1},
      {"setp.eq.f32 %p4, %f1, %f2;", 0, kMinusZero, 0, 1},
      {"setp.num.f32 %p4, %f1, %f2;", kOne, kOne, 0, 1},
      {"setp.nan.f32 %p4, %f1, %f2;", kOne, kNan, 0, 1},
      {"setp.gt.ftz.f32 %p4, %f1, %f2;", kTiny, 0, 0, 0},
      {"setp.geu.f32 %p5|%p4, %f1, %f2;", kOne, kTwo, 0, 1},
  });
}

TEST(FloatOpcodes, ConversionsOfIntegers) {
  expect_results(std::vector<OpcodeCase>{
      {"cvt.u32.u16 %r4, %rs1;", 0x1FFFF, 0, 0, 0xFFFF},
      {"cvt.s32.s16 %r4, %rs1;", 0x8000, 0, 0, 0xFFFF8000},
      {"cvt.s64.s32 %rd4, %r1;", 0xFFFFFFFF, 0, 0, ~std::uint64_t{0}},
      {"cvt.u64.u32 %rd4, %r1;", 0xFFFFFFFF, 0, 0, 0xFFFFFFFF},
      {"cvt.u32.u64 %r4, %rd1;", 0x1234567890, 0, 0, 0x34567890},
      {"cvt.s32.s8 %r4, %r1;", 0x180, 0, 0, 0xFFFFFF80},
      {"cvt.u16.u8 %rs4, %rs1;", 0x180, 0, 0, 0x80},
      {"cvt.sat.u8.s32 %r4, %r1;", 0xFFFFFFFF, 0, 0, 0},
      {"cvt.sat.s8.s32 %r4, %r1;", 300, 0, 0, 127},
      {"cvt.rn.f32.s32 %f4, %r1;", 0xFFFFFFFF, 0, 0, 0xBF800000},
      {"cvt.rn.f32.u32 %f4, %r1;", 0xFFFFFFFF, 0, 0, 0x4F800000},
      {"cvt.rz.f32.u32 %f4, %r1;", 0xFFFFFFFF, 0, 0, 0x4F7FFFFF},
      {"cvt.rn.f32.u64 %f4, %rd1;", 0x8000008000000001, 0, 0, 0x5F000001},
      {"cvt.rn.f64.s64 %fd4, %rd1;", ~std::uint64_t{0}, 0, 0, 0xBFF0000000000000},
  });
}

TEST(FloatOpcodes, ConversionsOfFloats) {
  expect_results(std::vector<OpcodeCase>{
      {"cvt.rzi.s32.f32 %r4, %f1;", 0xC0600000, 0, 0, 0xFFFFFFFD},  // -3.5
      {"cvt.rni.s32.f32 %r4, %f1;", 0xC0600000, 0, 0, 0xFFFFFFFC},
      {"cvt.rmi.s32.f32 %r4, %f1;", 0xC0600000, 0, 0, 0xFFFFFFFC},
      {"cvt.rpi.s32.f32 %r4, %f1;", 0xC0600000, 0, 0, 0xFFFFFFFD},
      {"cvt.rni.s32.f32 %r4, %f1;", 0x40200000, 0, 0, 2},  // 2.5
      {"cvt.rzi.s32.f32 %r4, %f1;", kNan, 0, 0, 0},
      {"cvt.rzi.s64.f32 %rd4, %f1;", kNan, 0, 0, std::uint64_t{1} << 63},
      {"cvt.rzi.s32.f32 %r4, %f1;", kInfinity, 0, 0, 0x7FFFFFFF},
      {"cvt.rzi.u32.f32 %r4, %f1;", 0xBF800000, 0, 0, 0},
      {"cvt.rzi.u64.f32 %rd4, %f1;", 0x5F800000, 0, 0, ~std::uint64_t{0}},
      {"cvt.rni.f32.f32 %f4, %f1;", 0x40200000, 0, 0, kTwo},
      {"cvt.rmi.f32.f32 %f4, %f1;", 0xC0200000, 0, 0, 0xC0400000},
      {"cvt.sat.f32.f32 %f4, %f1;", kThree, 0, 0, kOne},
      {"cvt.sat.f32.f32 %f4, %f1;", kNan, 0, 0, 0},
      {"cvt.ftz.f32.f32 %f4, %f1;", kTiny, 0, 0, 0},
      {"cvt.f64.f32 %fd4, %f1;", kThree, 0, 0, kThreeD},
      {"cvt.rn.f32.f64 %f4, %fd1;", 0x3FD5555555555555, 0, 0, 0x3EAAAAAB},
      {"cvt.rz.f32.f64 %f4, %fd1;", 0x3FD5555555555555, 0, 0, 0x3EAAAAAA},
      {"cvt.rn.f16.f32 %rs4, %f1;", kOne, 0, 0, 0x3C00},
      {"cvt.rn.f16.f32 %rs4, %f1;", 0x477FF000, 0, 0, 0x7C00},  // 65520 rounds up to infinity
      {"cvt.rz.f16.f32 %rs4, %f1;", 0x477FF000, 0, 0, 0x7BFF},
      {"cvt.rn.f16.f32 %rs4, %f1;", 0x33800000, 0, 0, 0x0001},  // 2^-24
      {"cvt.f32.f16 %f4, %rs1;", 0xC000, 0, 0, 0xC0000000},
      {"cvt.f32.f16 %f4, %rs1;", 0x0001, 0, 0, 0x33800000},
      {"cvt.rn.bf16.f32 %rs4, %f1;", 0x3F808000, 0, 0, 0x3F80},
      {"cvt.f32.bf16 %f4, %rs1;", 0x4040, 0, 0, kThree},
  });
}

}  // namespace
}  // namespace vyre::fake_cuda_test
