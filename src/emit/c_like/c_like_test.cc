#include <gtest/gtest.h>

#include <bit>

#include "emit/c_like/c_literal.h"
#include "emit/c_like/c_names.h"
#include "emit/c_like/spelling.h"
#include "emit/opencl/opencl_dialect.h"

namespace vyre::emit {
namespace {

using ir::Scalar;

TEST(CText, ParenthesesWherePrecedenceNeedsThem) {
  const Text a{"a"};
  const Text sum{"a + b", Binding::sum};
  const Text product{"a * b", Binding::product};
  const Text less{"a < b", Binding::order};
  const Text minus{"-a", Binding::unary};
  const Text choice{"c ? a : b", Binding::choice};
  struct Case {
    std::string_view pattern;
    Text left, right;
    std::string expected;
  };
  const Case table[] = {
      {"($0 + $1)", sum, product, "a + b + a * b"},
      {"($0 + $1)", product, sum, "a * b + (a + b)"},
      {"($0 - $1)", sum, sum, "a + b - (a + b)"},
      {"($0 - $1)", a, minus, "a - -a"},
      {"($0 * $1)", sum, product, "(a + b) * (a * b)"},
      {"($0 / $1)", product, a, "a * b / a"},
      {"($0 < $1)", sum, product, "a + b < a * b"},
      {"($0 == $1)", less, less, "(a < b) == (a < b)"},
      {"($0 & $1)", less, sum, "(a < b) & (a + b)"},
      {"($0 << $1)", sum, a, "(a + b) << a"},
      {"($0 + $1)", choice, a, "(c ? a : b) + a"},
      {"(-$0)", minus, {}, "-(-a)"},
      {"(!$0)", a, {}, "!a"},
      {"(isnan($0) != 0)", sum, {}, "(isnan(a + b) != 0)"},
      {"vyre_div_$T($0, $1)", choice, sum, "vyre_div_u32(c ? a : b, a + b)"},
  };
  for (const auto& [pattern, left, right, expected] : table) {
    const Text operands[] = {left, right};
    EXPECT_EQ(spell(pattern, operands, {.suffix = "u32"}).text, expected);
  }
  const auto cast = [](std::string_view pattern, const std::string& type, const Text& piece) {
    return spell(pattern, {&piece, 1}, {.name = type});
  };
  EXPECT_EQ(cast("($C)$0", "uint", sum).text, "(uint)(a + b)");
  EXPECT_EQ(cast("($C)$0", "uint", cast("($C)$0", "int", a)).text, "(uint)(int)a");
  EXPECT_EQ(cast("$C($0)", "uint", sum).text, "uint(a + b)");
}

TEST(CLiteral, ExactToTheBit) {
  struct Case {
    Scalar type;
    std::uint64_t bits;
    std::string expected;
  };
  const auto f = [](float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)}; };
  const Case table[] = {
      {Scalar::boolean, 1, "true"},
      {Scalar::u32, 4294967295, "4294967295u"},
      {Scalar::i32, 0xffffffff, "-1"},
      {Scalar::i32, 0x80000000, "-2147483647 - 1"},
      {Scalar::u64, ~std::uint64_t{0}, "18446744073709551615ul"},
      {Scalar::i64, std::uint64_t{1} << 63U, "-9223372036854775807l - 1"},
      {Scalar::i64, 5, "5l"},
      {Scalar::f32, f(1.5F), "1.5f"},
      {Scalar::f32, f(-2.0F), "-2.0f"},
      {Scalar::f32, f(-0.0F), "-0.0f"},
      {Scalar::f32, f(1e10F), "10000000000.0f"},
      {Scalar::f32, f(0.1F), "0x1.99999ap-4f /* 0.1 */"},
      {Scalar::f32, 1, "0x1p-149f /* 1e-45 */"},
      {Scalar::f32, 0xff800000, "as_float(0xff800000u)"},
      {Scalar::f32, 0x7fc00001, "as_float(0x7fc00001u)"},
  };
  for (const auto& [type, bits, expected] : table)
    EXPECT_EQ(literal({}, type, bits).text, expected);
}

TEST(CNames, StayUnlessTheLanguageHasThem) {
  Names names(opencl::kDialect.reserved);
  for (const std::string free : {"i", "N", "tile", "x_length", "sum2", "floats", "in", "output"}) {
    EXPECT_EQ(names.of(free), free);
  }
  for (const std::string taken :
       {"kernel", "float4", "uint", "half16", "min", "length", "restrict", "get_local_id", "vload4",
        "as_float", "atomic_add", "image2d_t"}) {
    EXPECT_EQ(names.of(taken), "v_" + taken);
  }
  EXPECT_EQ(names.of("INFINITY"), "v_INFINITY");
  EXPECT_EQ(names.of("__global"), "v_global");
  EXPECT_EQ(names.of("_x"), "v_x");
  EXPECT_EQ(names.of("a__b"), "v_a_b");
  EXPECT_EQ(names.of("vyre_f"), "v_vyre_f");
}

TEST(CNames, StayDifferent) {
  Names names(opencl::kDialect.reserved);
  EXPECT_EQ(names.of("v_min"), "v_min");
  EXPECT_EQ(names.of("min"), "v_min_2");
  EXPECT_EQ(names.of("v_min_2"), "v_min_2_2");
  EXPECT_EQ(names.of("x_length"), "x_length");
  EXPECT_EQ(names.derived("x", "length"), "x_length_2");
  EXPECT_EQ(names.derived("x", "length"), "x_length_2");
  EXPECT_EQ(names.of("min"), "v_min_2");
}

}  // namespace
}  // namespace vyre::emit
