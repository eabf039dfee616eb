// The answers of ops.cc about names, operand counts and types.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ir/ops.h"

namespace vyre::ir {
namespace {

constexpr Type kI32{Scalar::i32, 1};
constexpr Type kU64{Scalar::u64, 1};
constexpr Type kI64{Scalar::i64, 1};
constexpr Type kF32{Scalar::f32, 1};
constexpr Type kU32x2{Scalar::u32, 2};
constexpr Type kU32x4{Scalar::u32, 4};
constexpr Type kF32x2{Scalar::f32, 2};
constexpr Type kF32x4{Scalar::f32, 4};
const std::vector kAllTypes{kBool, kU32, kI32, kU64, kI64, kF32, kU32x2, kU32x4, kF32x2, kF32x4};

// The first operands that each rule allows.
const std::vector<Type>& allowed(Rule rule) {
  static const std::vector<Type> number{kU32,   kI32,   kU64,   kI64,  kF32,
                                        kU32x2, kU32x4, kF32x2, kF32x4};
  static const std::vector<Type> integer{kU32, kI32, kU64, kI64, kU32x2, kU32x4};
  static const std::vector<Type> with_sign{kI32, kI64, kF32, kF32x2, kF32x4};
  static const std::vector<Type> bits{kBool, kU32, kI32, kU64, kI64, kU32x2, kU32x4};
  static const std::vector<Type> shift{kU32, kI32, kU64, kI64};
  static const std::vector<Type> equality{kBool, kU32, kI32, kU64, kI64, kF32};
  static const std::vector<Type> order{kU32, kI32, kU64, kI64, kF32};
  static const std::vector<Type> real{kF32, kF32x2, kF32x4};
  static const std::vector<Type> classify{kF32};
  switch (rule) {
    case Rule::number:
      return number;
    case Rule::integer:
      return integer;
    case Rule::signed_:
      return with_sign;
    case Rule::bits:
      return bits;
    case Rule::shift:
      return shift;
    case Rule::equality:
      return equality;
    case Rule::order:
      return order;
    case Rule::real:
      return real;
    case Rule::classify:
      return classify;
  }
  return number;
}

bool gives_bool(Rule rule) {
  return rule == Rule::equality || rule == Rule::order || rule == Rule::classify;
}

TEST(ResultType, FollowsTheRuleOfEveryOpOnEveryType) {
  for (const Op op : table_ops()) {
    const Rule rule = info(op).rule;
    const auto& types = allowed(rule);
    for (const Type type : kAllTypes) {
      std::vector<Type> operands(info(op).arity, type);
      if (rule == Rule::shift) operands[1] = kU32;
      const bool fits = std::ranges::find(types, type) != types.end();
      const auto expected = fits ? std::optional(gives_bool(rule) ? kBool : type) : std::nullopt;
      EXPECT_EQ(result_type(op, operands), expected) << info(op).name << " " << to_string(type);
    }
  }
}

TEST(ResultType, RefusesOperandsThatDifferOrAreTooManyOrTooFew) {
  for (const Op op : table_ops()) {
    const Type first = allowed(info(op).rule).front();
    std::vector<Type> operands(info(op).arity, first);
    if (info(op).rule == Rule::shift) operands[1] = kU32;
    ASSERT_TRUE(result_type(op, operands)) << info(op).name;
    for (std::size_t i = 0; i < operands.size() && operands.size() > 1; ++i) {
      auto mixed = operands;
      mixed[i] = kF32 == operands[i] ? kF32x2 : kF32;
      EXPECT_EQ(result_type(op, mixed), std::nullopt) << info(op).name << " operand " << i;
    }
    operands.push_back(first);
    EXPECT_EQ(result_type(op, operands), std::nullopt) << info(op).name;
    operands.resize(info(op).arity - 1U);
    EXPECT_EQ(result_type(op, operands), std::nullopt) << info(op).name;
  }
}

TEST(ResultType, SelectsBetweenTwoOfOneType) {
  for (const Type type : kAllTypes) {
    EXPECT_EQ(result_type(Op::select, std::vector{kBool, type, type}), type) << to_string(type);
  }
  EXPECT_EQ(result_type(Op::select, std::vector{kU32, kF32, kF32}), std::nullopt);
  EXPECT_EQ(result_type(Op::select, std::vector{kBool, kF32, kU32}), std::nullopt);
  EXPECT_EQ(result_type(Op::select, std::vector{kBool, kF32}), std::nullopt);
}

TEST(ResultType, HasNoAnswerForStructuralOps) {
  for (auto op = Op::constant; op < kFirstTableOp; op = static_cast<Op>(static_cast<int>(op) + 1)) {
    if (op == Op::select) continue;
    EXPECT_FALSE(in_table(op));
    EXPECT_EQ(result_type(op, std::vector{kU32}), std::nullopt);
  }
}

TEST(OpNames, AreFoundAgainAndAreUnique) {
  std::set<std::string_view> names;
  for (const Op op : table_ops()) {
    EXPECT_TRUE(in_table(op));
    EXPECT_EQ(find_op(info(op).name), op);
    EXPECT_TRUE(names.insert(info(op).name).second) << info(op).name;
    EXPECT_FALSE(info(op).name.ends_with('_')) << info(op).name;
  }
  EXPECT_EQ(find_op("and"), Op::and_);
  for (const char* name : {"", "and_", "Add", "add ", "constant", "load", "select"}) {
    EXPECT_EQ(find_op(name), std::nullopt) << name;
  }
}

TEST(OpNames, SpellEveryOperandInC) {
  for (const Op op : table_ops()) {
    const auto& row = info(op);
    for (int i = 0; i < 3; ++i) {
      const bool spelled = row.c_spelling.contains("$" + std::to_string(i));
      EXPECT_EQ(spelled, i < row.arity) << row.name << " $" << i;
    }
  }
}

TEST(OperandCount, OfEveryKindOfNode) {
  const auto count = [](Op op, Type type = {}) { return operand_count({.op = op, .type = type}); };
  for (const Op op : {Op::constant, Op::symbol, Op::variable, Op::id, Op::length}) {
    EXPECT_EQ(count(op), 0U);
  }
  for (const Op op : {Op::load, Op::extract, Op::cast, Op::bitcast}) EXPECT_EQ(count(op), 1U);
  EXPECT_EQ(count(Op::select), 3U);
  EXPECT_EQ(count(Op::vector, kF32x2), 2U);
  EXPECT_EQ(count(Op::vector, kF32x4), 4U);
  EXPECT_EQ(count(Op::vector, {Scalar::f32, 200}), 4U);
  for (const Op op : table_ops()) EXPECT_EQ(count(op), info(op).arity) << info(op).name;
}

TEST(TypeNames, PrintAndAreFound) {
  EXPECT_EQ(to_string(kBool), "bool");
  EXPECT_EQ(to_string(kF32x4), "f32x4");
  for (const Type type : kAllTypes) {
    EXPECT_TRUE(is_allowed(type)) << to_string(type);
    EXPECT_EQ(find_scalar(name_of(type.scalar)), type.scalar);
  }
  EXPECT_FALSE(is_allowed({Scalar::f32, 3}));
  EXPECT_FALSE(is_allowed({Scalar::i32, 2}));
  EXPECT_FALSE(is_allowed({Scalar::f32, 0}));
  EXPECT_EQ(find_scalar("f64"), std::nullopt);
  EXPECT_EQ(name_of(static_cast<Scalar>(99)), "?");
  EXPECT_EQ(byte_size(Scalar::boolean), 4U);
  EXPECT_EQ(byte_size(Scalar::f32), 4U);
  EXPECT_EQ(byte_size(Scalar::i64), 8U);
}

TEST(OtherNames, AreThoseOfTheTextForm) {
  EXPECT_EQ(name_of(IdKind::groups), "groups");
  EXPECT_EQ(find_id_kind("local_size"), IdKind::local_size);
  EXPECT_EQ(find_id_kind("local"), std::nullopt);
  EXPECT_EQ(id_kind(id_index(IdKind::group_id, 2)), IdKind::group_id);
  EXPECT_EQ(id_axis(id_index(IdKind::group_id, 2)), 2U);
  EXPECT_EQ(name_of(AtomicOp::compare_exchange), "compare_exchange");
  EXPECT_EQ(name_of(Access::private_), "private");
  EXPECT_EQ(name_of(SymbolKind::tunable), "tunable");
}

TEST(Rules, AreDescribedForMessages) {
  std::set<std::string_view> texts;
  for (const Op op : table_ops()) texts.insert(describe(info(op).rule));
  EXPECT_EQ(texts.size(), 9U);
  EXPECT_EQ(describe(Rule::shift), "an integer and a u32 count");
  EXPECT_EQ(describe(static_cast<Rule>(99)), "other operands");
}

}  // namespace
}  // namespace vyre::ir
