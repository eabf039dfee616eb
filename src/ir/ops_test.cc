// The meaning of every row of ops.def, on every scalar type that its rule allows and at every edge
// of the total semantics. Vectors go element by element; the conformance suite runs them.

#include "ir/ops.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "ir/rewrite/fold.h"

namespace vyre::ir {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr auto kMin32 = std::numeric_limits<std::int32_t>::min();
constexpr auto kMax32 = std::numeric_limits<std::int32_t>::max();
constexpr auto kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t kOnes32 = 0xffffffffU;
constexpr std::uint64_t kOnes64 = ~std::uint64_t{0};

// A constant with its type: 7U is a u32, -7 an i32, 1.5F an f32.
struct Const {
  Scalar type;
  std::uint64_t bits;

  Const(bool v) : type(Scalar::boolean), bits(v ? 1 : 0) {}
  Const(std::uint32_t v) : type(Scalar::u32), bits(v) {}
  Const(std::int32_t v) : type(Scalar::i32), bits(static_cast<std::uint32_t>(v)) {}
  Const(std::uint64_t v) : type(Scalar::u64), bits(v) {}
  Const(std::int64_t v) : type(Scalar::i64), bits(static_cast<std::uint64_t>(v)) {}
  Const(float v) : type(Scalar::f32), bits(std::bit_cast<std::uint32_t>(v)) {}

  bool is_nan() const {
    return type == Scalar::f32 &&
           std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
};

using U = std::uint64_t;
using L = std::int64_t;

struct OpRow {
  Op op;
  std::vector<Const> operands;
  Const result;
};

// clang-format off
const std::vector<OpRow> kRows = {
    {Op::add, {kOnes32, 2U}, 1U}, {Op::add, {kMax32, 1}, kMin32}, {Op::add, {kOnes64, U{2}}, U{1}},
    {Op::add, {kMax64, L{1}}, kMin64}, {Op::add, {1.5F, -0.25F}, 1.25F},
    {Op::add, {kInf, -kInf}, kNan},
    {Op::sub, {0U, 1U}, kOnes32}, {Op::sub, {kMin32, 1}, kMax32}, {Op::sub, {U{0}, U{1}}, kOnes64},
    {Op::sub, {kMin64, L{1}}, kMax64}, {Op::sub, {1.0F, 1.5F}, -0.5F},
    {Op::mul, {0x80000001U, 2U}, 2U}, {Op::mul, {65536, 65536}, 0}, {Op::mul, {kMin32, -1}, kMin32},
    {Op::mul, {U{1} << 63, U{3}}, U{1} << 63}, {Op::mul, {kMin64, L{-1}}, kMin64},
    {Op::mul, {-1.5F, 2.0F}, -3.0F}, {Op::mul, {0.0F, kInf}, kNan},
    {Op::div, {7U, 2U}, 3U}, {Op::div, {7U, 0U}, kOnes32}, {Op::div, {0U, 0U}, kOnes32},
    {Op::div, {-7, 2}, -3}, {Op::div, {7, 0}, -1}, {Op::div, {-7, 0}, -1},
    {Op::div, {kMin32, -1}, kMin32}, {Op::div, {9, -1}, -9},
    {Op::div, {kOnes64, U{10}}, U{1844674407370955161}}, {Op::div, {U{7}, U{0}}, kOnes64},
    {Op::div, {L{-7}, L{2}}, L{-3}}, {Op::div, {L{7}, L{0}}, L{-1}},
    {Op::div, {kMin64, L{-1}}, kMin64}, {Op::div, {1.0F, 4.0F}, 0.25F},
    {Op::div, {-1.0F, 0.0F}, -kInf}, {Op::div, {0.0F, 0.0F}, kNan},
    {Op::mod, {7U, 4U}, 3U}, {Op::mod, {7U, 0U}, 0U}, {Op::mod, {-7, 4}, -3}, {Op::mod, {7, -4}, 3},
    {Op::mod, {7, 0}, 0}, {Op::mod, {kMin32, -1}, 0}, {Op::mod, {U{7}, U{0}}, U{0}},
    {Op::mod, {kOnes64, U{10}}, U{5}}, {Op::mod, {L{-7}, L{4}}, L{-3}},
    {Op::mod, {L{7}, L{0}}, L{0}}, {Op::mod, {kMin64, L{-1}}, L{0}},
    {Op::mulhi, {kOnes32, kOnes32}, 0xfffffffeU}, {Op::mulhi, {-1, 1}, -1},
    {Op::mulhi, {kMin32, kMin32}, 1 << 30}, {Op::mulhi, {kOnes64, kOnes64}, kOnes64 - 1},
    {Op::mulhi, {L{-1}, L{1}}, L{-1}}, {Op::mulhi, {kMin64, kMin64}, L{1} << 62},
    {Op::min, {1U, kOnes32}, 1U}, {Op::min, {1, -1}, -1}, {Op::min, {U{1}, kOnes64}, U{1}},
    {Op::min, {L{1}, L{-1}}, L{-1}}, {Op::min, {2.0F, -kInf}, -kInf}, {Op::min, {kNan, 2.0F}, 2.0F},
    {Op::min, {2.0F, kNan}, 2.0F}, {Op::min, {kNan, kNan}, kNan},
    {Op::max, {1U, kOnes32}, kOnes32}, {Op::max, {1, -1}, 1}, {Op::max, {U{1}, kOnes64}, kOnes64},
    {Op::max, {L{1}, L{-1}}, L{1}}, {Op::max, {2.0F, kInf}, kInf}, {Op::max, {kNan, -2.0F}, -2.0F},
    {Op::max, {-2.0F, kNan}, -2.0F}, {Op::max, {kNan, kNan}, kNan},
    {Op::neg, {5}, -5}, {Op::neg, {kMin32}, kMin32}, {Op::neg, {L{5}}, L{-5}},
    {Op::neg, {kMin64}, kMin64}, {Op::neg, {0.0F}, -0.0F}, {Op::neg, {-kInf}, kInf},
    {Op::abs, {-5}, 5}, {Op::abs, {kMin32}, kMin32}, {Op::abs, {L{-5}}, L{5}},
    {Op::abs, {kMin64}, kMin64}, {Op::abs, {-0.0F}, 0.0F}, {Op::abs, {-1.5F}, 1.5F},
    {Op::abs, {kNan}, kNan},

    {Op::and_, {true, false}, false}, {Op::and_, {true, true}, true}, {Op::and_, {6U, 3U}, 2U},
    {Op::and_, {-1, 12}, 12}, {Op::and_, {kOnes64, U{1} << 40}, U{1} << 40},
    {Op::and_, {L{-1}, kMin64}, kMin64},
    {Op::or_, {true, false}, true}, {Op::or_, {false, false}, false}, {Op::or_, {6U, 3U}, 7U},
    {Op::or_, {kMin32, 1}, kMin32 + 1}, {Op::or_, {U{1} << 40, U{1}}, (U{1} << 40) + 1},
    {Op::or_, {kMin64, L{1}}, kMin64 + 1},
    {Op::xor_, {true, true}, false}, {Op::xor_, {true, false}, true}, {Op::xor_, {6U, 3U}, 5U},
    {Op::xor_, {-1, 1}, -2}, {Op::xor_, {kOnes64, U{1}}, kOnes64 - 1},
    {Op::xor_, {L{-1}, L{1}}, L{-2}},
    {Op::not_, {true}, false}, {Op::not_, {false}, true}, {Op::not_, {0U}, kOnes32},
    {Op::not_, {5}, -6}, {Op::not_, {U{1}}, kOnes64 - 1}, {Op::not_, {L{0}}, L{-1}},
    {Op::shl, {1U, 31U}, 0x80000000U}, {Op::shl, {1U, 32U}, 1U},
    {Op::shl, {1U, kOnes32}, 0x80000000U}, {Op::shl, {-1, 31U}, kMin32}, {Op::shl, {3, 33U}, 6},
    {Op::shl, {U{1}, 63U}, U{1} << 63}, {Op::shl, {U{1}, 64U}, U{1}},
    {Op::shl, {L{-1}, 63U}, kMin64}, {Op::shl, {L{1}, 65U}, L{2}},
    {Op::shr, {0x80000000U, 31U}, 1U}, {Op::shr, {4U, 33U}, 2U}, {Op::shr, {kMin32, 31U}, -1},
    {Op::shr, {-8, 33U}, -4}, {Op::shr, {kOnes64, 63U}, U{1}}, {Op::shr, {U{4}, 65U}, U{2}},
    {Op::shr, {kMin64, 63U}, L{-1}}, {Op::shr, {L{-8}, 65U}, L{-4}},
    {Op::popcount, {0xf0fU}, 8U}, {Op::popcount, {-1}, 32}, {Op::popcount, {kOnes64}, U{64}},
    {Op::popcount, {L{-1}}, L{64}}, {Op::popcount, {0U}, 0U},
    {Op::clz, {1U}, 31U}, {Op::clz, {0U}, 32U}, {Op::clz, {-1}, 0}, {Op::clz, {U{0}}, U{64}},
    {Op::clz, {L{1}}, L{63}},

    {Op::eq, {true, true}, true}, {Op::eq, {1U, 2U}, false}, {Op::eq, {-1, -1}, true},
    {Op::eq, {U{1} << 32, U{0}}, false}, {Op::eq, {L{-1}, L{-1}}, true},
    {Op::eq, {0.0F, -0.0F}, true}, {Op::eq, {kNan, kNan}, false},
    {Op::ne, {true, false}, true}, {Op::ne, {1U, 1U}, false}, {Op::ne, {-1, 1}, true},
    {Op::ne, {U{1} << 32, U{0}}, true}, {Op::ne, {L{2}, L{2}}, false},
    {Op::ne, {0.0F, -0.0F}, false}, {Op::ne, {kNan, kNan}, true},
    {Op::lt, {1U, kOnes32}, true}, {Op::lt, {1, -1}, false}, {Op::lt, {U{1}, kOnes64}, true},
    {Op::lt, {L{1}, L{-1}}, false}, {Op::lt, {1.0F, 1.0F}, false}, {Op::lt, {kNan, 1.0F}, false},
    {Op::le, {2U, 2U}, true}, {Op::le, {1, -1}, false}, {Op::le, {kOnes64, U{1}}, false},
    {Op::le, {L{-1}, L{1}}, true}, {Op::le, {1.0F, 1.0F}, true}, {Op::le, {1.0F, kNan}, false},
    {Op::gt, {kOnes32, 1U}, true}, {Op::gt, {-1, 1}, false}, {Op::gt, {kOnes64, U{1}}, true},
    {Op::gt, {L{-1}, L{1}}, false}, {Op::gt, {kInf, 1.0F}, true}, {Op::gt, {kNan, 1.0F}, false},
    {Op::ge, {2U, 2U}, true}, {Op::ge, {-1, 1}, false}, {Op::ge, {kOnes64, U{1}}, true},
    {Op::ge, {L{-1}, L{1}}, false}, {Op::ge, {1.0F, 1.0F}, true}, {Op::ge, {kNan, kNan}, false},

    // The product alone would round to 1: only a fused one keeps the last bit.
    {Op::fma, {1.0F + 0x1p-23F, 1.0F - 0x1p-23F, -1.0F}, -0x1p-46F},
    {Op::fma, {2.0F, 3.0F, 4.0F}, 10.0F}, {Op::sqrt, {9.0F}, 3.0F}, {Op::sqrt, {-1.0F}, kNan},
    {Op::rsqrt, {4.0F}, 0.5F}, {Op::rsqrt, {0.0F}, kInf}, {Op::exp, {0.0F}, 1.0F},
    {Op::exp, {-kInf}, 0.0F}, {Op::exp, {100.0F}, kInf}, {Op::exp2, {3.0F}, 8.0F},
    {Op::exp2, {128.0F}, kInf}, {Op::log, {1.0F}, 0.0F}, {Op::log, {0.0F}, -kInf},
    {Op::log, {-1.0F}, kNan}, {Op::log2, {8.0F}, 3.0F}, {Op::log2, {0.0F}, -kInf},
    {Op::sin, {0.0F}, 0.0F}, {Op::sin, {kInf}, kNan}, {Op::cos, {0.0F}, 1.0F},
    {Op::cos, {kInf}, kNan}, {Op::tanh, {0.0F}, 0.0F}, {Op::tanh, {-kInf}, -1.0F},
    {Op::pow, {2.0F, 10.0F}, 1024.0F}, {Op::pow, {0.0F, 0.0F}, 1.0F},
    {Op::pow, {-2.0F, 0.5F}, kNan}, {Op::floor, {-1.5F}, -2.0F}, {Op::floor, {-0.0F}, -0.0F},
    {Op::ceil, {-1.5F}, -1.0F}, {Op::ceil, {-0.5F}, -0.0F}, {Op::trunc, {-1.5F}, -1.0F},
    {Op::trunc, {1.5F}, 1.0F}, {Op::trunc, {kInf}, kInf},
    {Op::round, {0.5F}, 0.0F}, {Op::round, {1.5F}, 2.0F}, {Op::round, {2.5F}, 2.0F},
    {Op::round, {-0.5F}, -0.0F}, {Op::round, {-1.5F}, -2.0F}, {Op::round, {-2.5F}, -2.0F},
    {Op::round, {0.49999997F}, 0.0F}, {Op::round, {-0.75F}, -1.0F},
    {Op::round, {8388607.5F}, 8388608.0F}, {Op::round, {-0.25F}, -0.0F},
    {Op::round, {16777216.0F}, 16777216.0F}, {Op::round, {kInf}, kInf}, {Op::round, {kNan}, kNan},
    {Op::is_nan, {kNan}, true}, {Op::is_nan, {kInf}, false}, {Op::is_nan, {0.0F}, false},
};

const std::vector<OpRow> kCasts = {  // the result's type is the target
    {Op::cast, {-1.0F}, 0U}, {Op::cast, {1e10F}, kOnes32}, {Op::cast, {kNan}, 0U},
    {Op::cast, {3.99F}, 3U}, {Op::cast, {4294967040.0F}, 4294967040U},
    {Op::cast, {4294967296.0F}, kOnes32}, {Op::cast, {-3.99F}, -3},
    {Op::cast, {2147483648.0F}, kMax32}, {Op::cast, {-2147483648.0F}, kMin32},
    {Op::cast, {-kInf}, kMin32}, {Op::cast, {kNan}, 0}, {Op::cast, {kInf}, kOnes64},
    {Op::cast, {kNan}, U{0}}, {Op::cast, {18446744073709551616.0F}, kOnes64},
    {Op::cast, {-0.5F}, U{0}}, {Op::cast, {9223372036854775808.0F}, kMax64},
    {Op::cast, {-1e30F}, kMin64}, {Op::cast, {kNan}, L{0}}, {Op::cast, {kNan}, true},
    {Op::cast, {-0.0F}, false}, {Op::cast, {0.1F}, true}, {Op::cast, {true}, 1.0F},
    {Op::cast, {true}, 1U}, {Op::cast, {true}, L{1}}, {Op::cast, {2U}, true},
    {Op::cast, {U{1} << 32}, true}, {Op::cast, {-1}, kOnes32}, {Op::cast, {-1}, kOnes64},
    {Op::cast, {-1}, L{-1}}, {Op::cast, {kOnes32}, L{kOnes32}}, {Op::cast, {kOnes32}, -1},
    {Op::cast, {U{1} << 32}, 0U}, {Op::cast, {kMin64}, 0}, {Op::cast, {L{-1}}, kOnes32},
    {Op::cast, {16777217U}, 16777216.0F}, {Op::cast, {16777219}, 16777220.0F},
    {Op::cast, {kOnes64}, 18446744073709551616.0F}, {Op::cast, {kMin64}, -9223372036854775808.0F},
    {Op::cast, {1.5F}, 1.5F},
    {Op::bitcast, {1.0F}, 0x3f800000U}, {Op::bitcast, {0xbf800000U}, -1.0F},
    {Op::bitcast, {-1}, kOnes32}, {Op::bitcast, {kOnes32}, -1}, {Op::bitcast, {kOnes64}, L{-1}},
    {Op::bitcast, {L{-1}}, kOnes64},
};
// clang-format on

// The folded value, as the bits of a constant of the result's type.
std::optional<std::uint64_t> value_of(const OpRow& row) {
  Program program;
  Expr node{.op = row.op, .type = {row.result.type, 1}};
  for (std::uint32_t i = 0; i < row.operands.size(); ++i) {
    const auto& [type, bits] = row.operands[i];
    program.exprs.push_back({.op = Op::constant, .type = {type, 1}, .bits = bits});
    node.args[i] = i;
  }
  program.exprs.push_back(node);
  return fold(program, static_cast<ExprId>(row.operands.size()), {});
}

std::string describe(const OpRow& row) {
  std::string out(in_table(row.op) ? info(row.op).name : "cast");
  for (const Const& operand : row.operands) {
    out += " " + std::string(name_of(operand.type)) + ":" + std::to_string(operand.bits);
  }
  return out;
}

void expect_row(const OpRow& row) {
  const auto bits = value_of(row);
  ASSERT_TRUE(bits.has_value()) << describe(row);
  if (row.result.is_nan()) {
    Const folded = row.result;
    folded.bits = *bits;
    EXPECT_TRUE(folded.is_nan()) << describe(row);
  } else {
    EXPECT_EQ(*bits, row.result.bits) << describe(row);
  }
}

TEST(OpMeaning, EveryRow) {
  for (const OpRow& row : kRows) {
    std::vector<Type> types;
    for (const Const& operand : row.operands) types.push_back({operand.type, 1});
    ASSERT_EQ(result_type(row.op, types), (Type{row.result.type, 1})) << describe(row);
    expect_row(row);
  }
}

TEST(OpMeaning, EveryCast) {
  for (const OpRow& row : kCasts) expect_row(row);
}

TEST(OpMeaning, CurvesAwayFromTheirEasyPoints) {
  struct Case {
    Op op;
    std::vector<Const> operands;
    float result;
  };
  for (const auto& [op, operands, result] :
       {Case{Op::exp, {1.0F}, 2.7182818F}, Case{Op::exp2, {0.5F}, 1.4142136F},
        Case{Op::log, {10.0F}, 2.3025851F}, Case{Op::log2, {10.0F}, 3.3219281F},
        Case{Op::sin, {1.0F}, 0.84147098F}, Case{Op::cos, {1.0F}, 0.54030231F},
        Case{Op::tanh, {0.5F}, 0.46211716F}, Case{Op::pow, {2.0F, -0.5F}, 0.70710678F},
        Case{Op::sqrt, {2.0F}, 1.4142136F}, Case{Op::rsqrt, {2.0F}, 0.70710678F}}) {
    const auto bits = value_of({op, operands, result});
    ASSERT_TRUE(bits.has_value());
    EXPECT_FLOAT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(*bits)), result)
        << info(op).name;
  }
}

// A new row of ops.def, or a rule that allows one more type, needs a row above.
TEST(OpMeaning, HasARowForEveryOpAndScalarType) {
  std::set<std::pair<Op, Scalar>> tested;
  for (const OpRow& row : kRows) tested.emplace(row.op, row.operands[0].type);
  for (const Op op : table_ops()) {
    for (auto scalar = Scalar::boolean; scalar <= Scalar::f32;
         scalar = static_cast<Scalar>(static_cast<int>(scalar) + 1)) {
      std::vector<Type> types(info(op).arity, Type{scalar, 1});
      if (info(op).rule == Rule::shift) types[1] = {Scalar::u32, 1};
      EXPECT_EQ(tested.contains({op, scalar}), result_type(op, types).has_value())
          << info(op).name << " " << name_of(scalar);
    }
  }
}

}  // namespace
}  // namespace vyre::ir
