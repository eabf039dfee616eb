#include "ir/rewrite/fold.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ir/ops.h"

namespace vyre::ir {
namespace {

using Bits = std::optional<std::uint64_t>;

constexpr Type kI32{Scalar::i32, 1};
constexpr Type kU64{Scalar::u64, 1};
constexpr Type kI64{Scalar::i64, 1};
constexpr Type kF32{Scalar::f32, 1};

std::uint64_t f(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t i(std::int32_t value) { return static_cast<std::uint32_t>(value); }
std::uint64_t l(std::int64_t value) { return static_cast<std::uint64_t>(value); }

ExprId add(Program& p, Expr e) {
  p.exprs.push_back(e);
  return static_cast<ExprId>(p.exprs.size() - 1);
}
ExprId constant(Program& p, Type type, std::uint64_t bits) {
  return add(p, {.op = Op::constant, .type = type, .bits = bits});
}
ExprId symbol(Program& p, std::uint32_t index) {
  return add(p, {.op = Op::symbol, .type = kU32, .index = index});
}

// Every row of ops.def, on operands of one type.
struct OpCase {
  Op op;
  Type type;
  std::vector<std::uint64_t> operands;
  std::uint64_t result;
};

const OpCase kOpCases[] = {
    {Op::add, kU32, {0xffffffff, 2}, 1},
    {Op::add, kI32, {i(INT32_MAX), 1}, i(INT32_MIN)},
    {Op::add, kU64, {UINT64_MAX, 2}, 1},
    {Op::add, kF32, {f(1.5F), f(2.0F)}, f(3.5F)},
    {Op::sub, kI64, {0, 1}, l(-1)},
    {Op::mul, kU32, {0x80000001, 2}, 2},
    {Op::mul, kI32, {i(-3), i(5)}, i(-15)},
    {Op::div, kU32, {7, 0}, 0xffffffff},
    {Op::div, kI32, {i(INT32_MIN), i(-1)}, i(INT32_MIN)},
    {Op::div, kF32, {f(1.0F), f(0.0F)}, f(INFINITY)},
    {Op::mod, kU64, {7, 0}, 0},
    {Op::mod, kI32, {i(-7), i(4)}, i(-3)},
    {Op::mulhi, kU32, {0xffffffff, 0xffffffff}, 0xfffffffe},
    {Op::min, kF32, {f(NAN), f(2.0F)}, f(2.0F)},
    {Op::max, kI32, {i(-1), 0}, 0},
    {Op::neg, kI32, {i(INT32_MIN)}, i(INT32_MIN)},
    {Op::abs, kI64, {l(-5)}, 5},
    {Op::and_, kBool, {1, 0}, 0},
    {Op::or_, kU32, {6, 1}, 7},
    {Op::xor_, kU64, {6, 3}, 5},
    {Op::not_, kBool, {1}, 0},
    {Op::not_, kU32, {0}, 0xffffffff},
    {Op::popcount, kU32, {0xf0}, 4},
    {Op::clz, kU64, {1}, 63},
    {Op::eq, kBool, {1, 1}, 1},
    {Op::ne, kU32, {1, 1}, 0},
    {Op::lt, kI32, {i(-1), 0}, 1},
    {Op::le, kU32, {2, 2}, 1},
    {Op::gt, kU32, {i(-1), 0}, 1},
    {Op::ge, kF32, {f(NAN), f(0.0F)}, 0},
    {Op::fma, kF32, {f(2.0F), f(3.0F), f(4.0F)}, f(10.0F)},
    {Op::sqrt, kF32, {f(9.0F)}, f(3.0F)},
    {Op::rsqrt, kF32, {f(4.0F)}, f(0.5F)},
    {Op::exp, kF32, {f(0.0F)}, f(1.0F)},
    {Op::exp2, kF32, {f(3.0F)}, f(8.0F)},
    {Op::log, kF32, {f(1.0F)}, f(0.0F)},
    {Op::log2, kF32, {f(8.0F)}, f(3.0F)},
    {Op::sin, kF32, {f(0.0F)}, f(0.0F)},
    {Op::cos, kF32, {f(0.0F)}, f(1.0F)},
    {Op::tanh, kF32, {f(0.0F)}, f(0.0F)},
    {Op::pow, kF32, {f(2.0F), f(10.0F)}, f(1024.0F)},
    {Op::floor, kF32, {f(-1.5F)}, f(-2.0F)},
    {Op::ceil, kF32, {f(-1.5F)}, f(-1.0F)},
    {Op::trunc, kF32, {f(-1.5F)}, f(-1.0F)},
    {Op::round, kF32, {f(2.5F)}, f(2.0F)},
    {Op::is_nan, kF32, {f(NAN)}, 1},
};

TEST(Fold, TableOps) {
  for (const auto& [op, type, operands, result] : kOpCases) {
    Program p;
    Expr e;
    e.op = op;
    std::vector<Type> types;
    for (std::size_t n = 0; n < operands.size(); ++n) {
      e.args.at(n) = constant(p, type, operands[n]);
      types.push_back(type);
    }
    e.type = result_type(op, types).value();
    EXPECT_EQ(fold(p, add(p, e), {}), Bits(result)) << info(op).name << " " << to_string(type);
  }
}

TEST(Fold, ShiftsCountInU32WhateverTheyShift) {
  struct Case {
    Op op;
    Type type;
    std::uint64_t value;
    std::uint64_t count;
    std::uint64_t result;
  };
  for (const auto& [op, type, value, count, result] :
       {Case{Op::shl, kU32, 1, 33, 2}, Case{Op::shl, kU64, 1, 33, std::uint64_t{1} << 33},
        Case{Op::shr, kI32, i(-8), 1, i(-4)}, Case{Op::shr, kI64, l(-8), 64 + 2, l(-2)}}) {
    Program p;
    const ExprId left = constant(p, type, value);
    const ExprId right = constant(p, kU32, count);
    const ExprId e = add(p, {.op = op, .type = type, .args = {left, right, kNone, kNone}});
    EXPECT_EQ(fold(p, e, {}), Bits(result)) << info(op).name << " " << to_string(type);
  }
}

TEST(Fold, CastsSaturateAndBitcastsKeepBits) {
  struct Case {
    Op op;
    Type from;
    std::uint64_t value;
    Type to;
    std::uint64_t result;
  };
  for (const auto& [op, from, value, to, result] : {
           Case{Op::cast, kF32, f(-1.0F), kU32, 0},
           Case{Op::cast, kF32, f(1e10F), kU32, 0xffffffff},
           Case{Op::cast, kF32, f(NAN), kI64, 0},
           Case{Op::cast, kF32, f(-1e30F), kI32, i(INT32_MIN)},
           Case{Op::cast, kI32, i(-1), kI64, l(-1)},
           Case{Op::cast, kU32, 0xffffffff, kI64, 0xffffffff},
           Case{Op::cast, kI64, l(-1), kU32, 0xffffffff},
           Case{Op::cast, kU32, 3, kBool, 1},
           Case{Op::cast, kBool, 1, kF32, f(1.0F)},
           Case{Op::bitcast, kF32, f(1.0F), kU32, 0x3f800000},
           Case{Op::bitcast, kI64, l(-1), kU64, UINT64_MAX},
       }) {
    Program p;
    const ExprId operand = constant(p, from, value);
    const ExprId e = add(p, {.op = op, .type = to, .args = {operand, kNone, kNone, kNone}});
    EXPECT_EQ(fold(p, e, {}), Bits(result)) << to_string(from) << " to " << to_string(to);
  }
}

TEST(Fold, SymbolsAndLengths) {
  Program p;
  p.symbols = {{"n", SymbolKind::shape, Scalar::u32, 0},
               {"t", SymbolKind::tunable, Scalar::u32, 8}};
  const ExprId n = symbol(p, 0);
  const ExprId t = symbol(p, 1);
  const ExprId product = add(p, {.op = Op::mul, .type = kU32, .args = {n, t, kNone, kNone}});
  p.buffers = {{"x", Scalar::f32, Access::read, product}};
  const ExprId length = add(p, {.op = Op::length, .type = kU32, .index = 0});

  EXPECT_EQ(fold(p, length, std::array{Bits(5), Bits(8)}), Bits(40));
  EXPECT_EQ(fold(p, t, std::array{Bits(), Bits((std::uint64_t{1} << 32) + 3)}), Bits(3));
  const auto defaults = default_bits(p.symbols);
  EXPECT_EQ(defaults, (std::vector{Bits(), Bits(8)}));
  EXPECT_EQ(fold(p, t, defaults), Bits(8));
  EXPECT_EQ(fold(p, length, defaults), Bits());
  EXPECT_EQ(fold(p, n, {}), Bits());

  p.buffers[0].length = length;  // not valid; must still come to an end
  EXPECT_EQ(fold(p, length, defaults), Bits());
}

TEST(Fold, ExactUnlessASumDifferenceOrProductWraps) {
  struct Case {
    Op op;
    Type type;
    std::uint64_t a, b;
    bool exact;
  };
  const std::uint64_t top = std::uint64_t{1} << 63;
  const Case table[] = {
      {Op::add, kU32, 0xfffffffe, 1, true}, {Op::add, kU32, 0xffffffff, 1, false},
      {Op::sub, kU32, 3, 3, true},          {Op::sub, kU32, 3, 4, false},
      {Op::mul, kU32, 65535, 65537, true},  {Op::mul, kU32, 65536, 65536, false},
      {Op::add, kI32, i(-1), i(-5), true},  {Op::sub, kI32, i(INT32_MIN), 1, false},
      {Op::mul, kU64, top, 1, true},        {Op::mul, kU64, top, 2, false},
      {Op::add, kI64, l(-1), l(-1), true},  {Op::sub, kI64, top, 1, false},
      {Op::div, kU32, 1, 0, true},          {Op::shl, kU32, 0xffffffff, 9, true},
  };
  for (const auto& [op, type, a, b, exact] : table) {
    Program p;
    const ExprId x = constant(p, type, a);
    const ExprId y = constant(p, op == Op::shl ? kU32 : type, b);
    const ExprId e = add(p, {.op = op, .type = type, .args = {x, y, kNone, kNone}});
    EXPECT_EQ(folds_exactly(p, e, {}), exact) << info(op).name << " " << a << " " << b;
    // A sum that wraps counts, but not in the arm that is not taken.
    const ExprId condition = constant(p, kBool, 1);
    const ExprId known = constant(p, type, 4);
    Expr select{.op = Op::select, .type = type, .args = {condition, known, e, kNone}};
    EXPECT_TRUE(folds_exactly(p, add(p, select), {}));
    select.args = {condition, e, known, kNone};
    EXPECT_EQ(folds_exactly(p, add(p, select), {}), exact);
  }
  Program p;
  EXPECT_FALSE(folds_exactly(p, add(p, {.op = Op::id, .type = kU32}), {}));
}

TEST(Fold, SelectNeedsOnlyTheArmItTakes) {
  Program p;
  const ExprId condition = constant(p, kBool, 1);
  const ExprId known = constant(p, kU32, 4);
  const ExprId unknown = add(p, {.op = Op::id, .type = kU32});
  Expr e{.op = Op::select, .type = kU32, .args = {condition, known, unknown, kNone}};
  EXPECT_EQ(fold(p, add(p, e), {}), Bits(4));
  e.args = {condition, unknown, known, kNone};
  EXPECT_EQ(fold(p, add(p, e), {}), Bits());
}

}  // namespace
}  // namespace vyre::ir
