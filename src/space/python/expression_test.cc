#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "vyre/space.h"

namespace vyre::space {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// The names and values that make_expressions.py uses.
const std::vector<std::string> kNames = {"a", "b", "c", "n", "f", "g", "t", "s"};
const std::vector<Value> kValues = {
    std::int64_t{7},   std::int64_t{-3}, std::int64_t{0}, std::int64_t{1024}, 2.5, -0.75, true,
    std::string("row")};

Expected<Value> evaluate(const std::string& text, Place* place = nullptr) {
  const auto expression = Expression::compile(text, kNames, place);
  if (!expression) return std::unexpected(expression.error());
  return expression->evaluate(kValues, place);
}

std::string describe(const Expected<Value>& value) {
  return value ? to_string(*value) : value.error().message;
}

// "int 5", "bool True", "float 0x1.4p+2", "error" as make_expressions.py writes them.
bool matches(const std::string& expected, const Expected<Value>& actual) {
  if (expected == "error" || !actual) return expected == "error" && !actual;
  const std::string type = expected.substr(0, expected.find(' '));
  const std::string text = expected.substr(type.size() + 1);
  if (type == "int") return *actual == Value(std::int64_t{std::stoll(text)});
  if (type == "bool") return *actual == Value(text == "True");
  if (type == "str") return *actual == Value(text);
  const auto* real = std::get_if<double>(&*actual);
  const double wanted = std::strtod(text.c_str(), nullptr);
  return real != nullptr && (*real == wanted || (*real != *real && wanted != wanted)) &&
         std::signbit(*real) == std::signbit(wanted);
}

TEST(Expression, AgreesWithPythonOnRandomExpressions) {
  std::ifstream file(std::string(VYRE_SOURCE_DIR) + "/tests/golden/expressions.tsv");
  ASSERT_TRUE(file.is_open());
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const std::size_t tab = line.find('\t');
    const std::string text = line.substr(0, tab);
    const auto actual = evaluate(text);
    EXPECT_TRUE(matches(line.substr(tab + 1), actual))
        << text << "\n is " << describe(actual) << "\n not " << line.substr(tab + 1);
  }
  EXPECT_GT(rows, 500U);
}

TEST(Expression, HasPythonsMeaning) {
  struct Case {
    const char* text;
    Value value;
  };
  const auto i = [](std::int64_t value) { return Value(value); };
  const std::vector<Case> cases = {
      // floor division and modulo
      {"7 // 2", i(3)},
      {"-7 // 2", i(-4)},
      {"7 // -2", i(-4)},
      {"-7 // -2", i(3)},
      {"7 % 3", i(1)},
      {"-7 % 3", i(2)},
      {"7 % -3", i(-2)},
      {"-7 % -3", i(-1)},
      {"-9223372036854775808 % -1", i(0)},
      {"7.5 // 2", 3.0},
      {"-7.5 // 2", -4.0},
      {"-7.5 % 2", 0.5},
      {"7.5 % -2", -0.5},
      {"5 % 0.25", 0.0},
      // true division
      {"7 / 2", 3.5},
      {"4 / 2", 2.0},
      {"9223372036854775807 / 3", 3.074457345618258602e18},
      {"9007199254740993 / 1", 9007199254740992.0},
      {"1 / 9223372036854775807", 1.0842021724855044e-19},
      // powers
      {"2 ** 10", i(1024)},
      {"2 ** -1", 0.5},
      {"-2 ** 2", i(-4)},
      {"2 ** 3 ** 2", i(512)},
      {"(-1) ** 1000000000001", i(-1)},
      {"0 ** 0", i(1)},
      {"4 ** 0.5", 2.0},
      {"(-2) ** 63", i(kLeast)},
      {"True ** 2", i(1)},
      {"2.0 ** 3", 8.0},
      // and, or, not give back values
      {"0 or 'x'", std::string("x")},
      {"3 and 5", i(5)},
      {"0 and 1 // 0", i(0)},
      {"1 or 1 // 0", i(1)},
      {"not 0", true},
      {"not 'x'", false},
      {"'' or 0 or 2.5", 2.5},
      // comparisons
      {"1 < 2 < 3", true},
      {"1 < 3 < 2", false},
      {"3 > 2 == 2", true},
      {"1 == 1.0", true},
      {"True == 1", true},
      {"1 < 0 < 1 // 0", false},
      {"'a' < 'b'", true},
      {"'1' == 1", false},
      {"9007199254740993 == 9007199254740992.0", false},
      {"9223372036854775807 < 9223372036854775808.0", true},
      {"9007199254740993 > 9007199254740992.0", true},
      {"[1, 2] < [1, 3]", true},
      {"(1,) == [1]", false},
      {"[1, 2] == [1.0, 2]", true},
      {"float('nan') == float('nan')", false},
      {"float('nan') < 1 or 1 < float('nan')", false},
      {"[[1], 2] != [[1], 3]", true},
      // in
      {"3 in [1, 2, 3]", true},
      {"3 not in (1, 2, 3)", false},
      {"'o' in s", true},
      {"1.0 in range(3)", true},
      {"2 in []", false},
      {"1 in [2, 3] == False", false},
      // conditional
      {"1 if a > 3 else 1 // 0", i(1)},
      {"1 // 0 if c else 2", i(2)},
      {"1 if 0 else 2 if 0 else 3", i(3)},
      // unary and bits
      {"-a", i(-7)},
      {"+t", i(1)},
      {"~a", i(-8)},
      {"~True", i(-2)},
      {"- -3", i(3)},
      {"6 & 3", i(2)},
      {"6 | 3", i(7)},
      {"6 ^ 3", i(5)},
      {"1 << 62", i(std::int64_t{1} << 62)},
      {"-1 << 63", i(kLeast)},
      {"-5 >> 1", i(-3)},
      {"5 >> 100", i(0)},
      {"True & False", false},
      {"True | 2", i(3)},
      {"1 | 2 ^ 3 & 4 << 1", i(1 | (2 ^ (3 & 8)))},
      {"-9223372036854775808", i(kLeast)},
      {"0 << 1000", i(0)},
      // functions
      {"min(3, 1, 2)", i(1)},
      {"max([1, 2.5, 2])", 2.5},
      {"min(1, 1.0)", i(1)},
      {"abs(-3)", i(3)},
      {"abs(True)", i(1)},
      {"abs(-0.5)", 0.5},
      {"round(0.5)", i(0)},
      {"round(1.5)", i(2)},
      {"round(2.5)", i(2)},
      {"round(-2.5)", i(-2)},
      {"round(2.675, 2)", 2.67},
      {"round(1234, -2)", i(1200)},
      {"round(1250, -2)", i(1200)},
      {"round(1350, -2)", i(1400)},
      {"round(15.0, -1)", 20.0},
      {"round(5.0000001, -1)", 10.0},
      {"round(5.0, -1)", 0.0},
      {"round(3.0, -1)", 0.0},
      {"round(0.5, 0)", 0.0},
      {"round(-1250, -2)", i(-1200)},
      {"round(7, 5)", i(7)},
      {"round(4e18, -25)", 0.0},
      {"int(2.9)", i(2)},
      {"int(-2.9)", i(-2)},
      {"int(' -1_000 ')", i(-1000)},
      {"int()", i(0)},
      {"float('1e3')", 1000.0},
      {"float(3)", 3.0},
      {"len('r\xc3\xb6w')", i(3)},
      {"len([1, 2])", i(2)},
      {"len(range(0, 10, 3))", i(4)},
      {"bool([])", false},
      {"any([0, 2])", true},
      {"all([])", true},
      {"max(x * x for x in [-3, 2])", i(9)},
      {"len(list('abc'))", i(3)},
      {"len(range(10, 0))", i(0)},
      {"len(range(5, -5, -3))", i(4)},
      // lists and comprehensions
      {"len([x for x in range(10) if x % 2 if x > 3])", i(3)},
      {"max([x * y for x in range(3) for y in range(x)])", i(2)},
      // literals
      {"1_000", i(1000)},
      {"0xFf", i(255)},
      {"0b101", i(5)},
      {"0o17", i(15)},
      {"1.", 1.0},
      {".5e1", 5.0},
      {"1E-3", 0.001},
      {"'a' \"b\"", std::string("ab")},
      {R"('\x41\n\'')", std::string("A\n'")},
      {"'ab' * 2", std::string("abab")},
      {"1e400 > 1e308", true},
      {"1e-400", 0.0},
      {"00", i(0)},
      {"9223372036854775807", i(kMost)},
      {"(1)", i(1)},
      {"  ( 1 +\n 2 )  ", i(3)},
      {"len((1,))", i(1)},
      {"len(())", i(0)},
      {"len([1, 2, ])", i(2)},
      {"2 * [1] == [1, 1]", true},
      {"[1] * -1 == []", true},
      {"max((1, 2) + (3,))", i(3)},
  };
  for (const auto& [text, value] : cases) {
    const auto actual = evaluate(text);
    ASSERT_TRUE(actual) << text << ": " << actual.error().message;
    EXPECT_EQ(to_string(*actual), to_string(value)) << text;
    EXPECT_EQ(actual->index(), value.index()) << text;
  }
}

}  // namespace
}  // namespace vyre::space
