// Every way in which an expression can be wrong, with its message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vyre/space.h"

namespace vyre::space {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kKnownNames = {"block_x", "tile", "s", "zero"};
const std::vector<Value> kKnownValues = {std::int64_t{32}, std::int64_t{2}, std::string("row"),
                                         std::int64_t{0}};

std::string error_of(const std::string& text, Place* place = nullptr) {
  const auto expression = Expression::compile(text, kKnownNames, place);
  if (!expression) return expression.error().message;
  const auto value = expression->evaluate(kKnownValues, place);
  return value ? "no error: " + to_string(*value) : value.error().message;
}

struct Case {
  const char* text;
  std::size_t column;
  const char* problem;  // how the message goes on after the piece
};

class ExpressionError : public ::testing::TestWithParam<Case> {};

TEST_P(ExpressionError, SaysWhatAndWhere) {
  const auto& [text, column, problem] = GetParam();
  Place place;
  const std::string message = error_of(text, &place);
  EXPECT_THAT(message, HasSubstr(std::string(": ") + problem)) << text;
  EXPECT_THAT(message, HasSubstr("column " + std::to_string(column))) << text;
  EXPECT_EQ(place.offset + 1, column) << text;
  EXPECT_EQ(message.find('\n'), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, ExpressionError,
    ::testing::Values(
        Case{"", 1, "the expression ends too early"}, Case{"1 +", 4, "the expression ends too"},
        Case{"(1", 3, "the expression ends where \")\" is expected"},
        Case{"1 if 2", 7, "the expression ends where \"else\" is expected"},
        Case{"1 2", 3, "\"2\" is not expected here"}, Case{")", 1, "\")\" is not expected here"},
        Case{"tile = 2", 6, "= has no meaning here: compare with =="},
        Case{"tile && 1", 6, "&& is not Python: write \"and\""},
        Case{"tile || 1", 6, "|| is not Python: write \"or\""},
        Case{"!tile", 1, "! is not Python: write \"not\""},
        Case{"tile ? 1 : 2", 6, "? is not Python: write \"x if condition else y\""},
        Case{"tile # x", 6, "# is not Python: comments"}, Case{"tile $", 6, "\"$\" has no meaning"},
        Case{"math.ceil(2)", 5, "attributes and modules are not supported"},
        Case{"s[0]", 2, "indexing is not supported"},
        Case{"tile is 1", 6, "\"is\" is not supported"},
        Case{"12abc", 1, "\"12abc\" is not a number"}, Case{"1__0", 1, "\"1__0\" is not a number"},
        Case{"1.2.3", 1, "\"1.2.3\" is not a number"}, Case{"0x", 1, "\"0x\" is not a number"},
        Case{"012", 1, "a decimal number does not start with 0"},
        Case{"9223372036854775808", 1, "9223372036854775808 does not fit into 64 bits"},
        Case{"18446744073709551616", 1, "18446744073709551616 does not fit into 64 bits"},
        Case{"'abc", 1, "the text that starts here has no closing quote"},
        Case{"'a\\q'", 3, "this escape is not known"},
        Case{"(x for x in [1])", 4, "a generator may only be a function's argument"},
        Case{"[1 for 2 in [1]]", 8, "a variable's name is expected after \"for\""}));

INSTANTIATE_TEST_SUITE_P(
    Names, ExpressionError,
    ::testing::Values(Case{"1 < blok_x", 5, "unknown name \"blok_x\"; did you mean \"block_x\"?"},
                      Case{"min", 1,
                           "unknown name \"min\"; to call the function, write its arguments"},
                      Case{"[i for i in [1]] == i", 21, "unknown name \"i\""},
                      Case{"rang(3)", 1, "unknown function \"rang\"; did you mean \"range\"?"},
                      Case{"len(1, 2)", 1, "len() does not take 2 arguments"},
                      Case{"min()", 1, "min() does not take 0 arguments"}));

INSTANTIATE_TEST_SUITE_P(
    Evaluation, ExpressionError,
    ::testing::Values(
        Case{"tile + 1 // zero", 8, "division by zero"}, Case{"1 % zero", 1, "division by zero"},
        Case{"1 / zero", 1, "division by zero"}, Case{"1.5 // 0.0", 1, "division by zero"},
        Case{"zero ** -1", 1, "zero to a negative power"},
        Case{"(-2.0) ** 0.5", 1, "a negative number to a fractional power is not a real number"},
        Case{"10.0 ** 400", 1, "10 ** 400 is too large for a float"},
        Case{"9223372036854775807 + 1", 1, "9223372036854775807 + 1 does not fit into 64 bits"},
        Case{"-9223372036854775808 - tile", 1, "-9223372036854775808 - 2 does not fit"},
        Case{"4294967296 * 4294967296", 1, "4294967296 * 4294967296 does not fit"},
        Case{"2 ** 63", 1, "2 ** 63 does not fit"}, Case{"1 << 63", 1, "1 << 63 does not fit"},
        Case{"-9223372036854775808 // -1", 1, "-9223372036854775808 // -1 does not fit"},
        Case{"-(-9223372036854775808)", 1, "-(-9223372036854775808) does not fit"},
        Case{"1 << -1", 1, "the shift count is negative"},
        Case{"s + 1", 1, "+ does not work between text and int"},
        Case{"1.5 & 1", 1, "& does not work between float and int"},
        Case{"s < 1", 1, "< does not work between text and int"},
        Case{"1 in tile", 1, "in does not work between int and int"},
        Case{"[1] + (2,)", 1, "+ does not work between list and tuple"},
        Case{"range(2) < range(3)", 1, "< does not work between range and range"},
        Case{"-s", 1, "- does not work on text"}, Case{"~1.5", 1, "~ does not work on float"},
        Case{"abs(s)", 1, "abs() does not take text"}, Case{"len(1)", 1, "len() does not take int"},
        Case{"any(1)", 1, "any() does not take int"},
        Case{"int([])", 1, "int() does not take list"},
        Case{"float([])", 1, "float() does not take list"},
        Case{"list(1)", 1, "list() does not take int"},
        Case{"max(1)", 1, "max() does not take int"},
        Case{"range(1.5)", 1, "range() does not take float"},
        Case{"round(s)", 1, "round() does not take text"},
        Case{"round(1, 1.0)", 1, "round() to float digits"},
        Case{"round(9223372036854775807, -1)", 1, "round(9223372036854775807, -1) does not fit"},
        Case{"round(1.7e308, -308)", 1, "round(1.7e+308, -308) is too large for a float"},
        Case{"int('x')", 1, "\"x\" is not an integer"}, Case{"float('x')", 1, "\"x\" is not a num"},
        Case{"int('99999999999999999999')", 1, "\"99999999999999999999\" does not fit"},
        Case{"int(1e30)", 1, "1e+30 does not fit"},
        Case{"int(float('nan'))", 1, "nan does not fit"}, Case{"max([])", 1, "max() of nothing"},
        Case{"range(1, 2, 0)", 1, "range() with a step of"},
        Case{"[x for x in tile] == []", 13, "\"for\" needs a list, not int"},
        Case{"[1, 2]", 1, "the result is a list where one value is needed"},
        Case{"len(range(10 ** 12))", 5, "range() of 1000000000000 numbers takes too many steps"},
        Case{"len([0 for i in range(9999) for j in range(9999)])", 5, "takes too many steps"},
        Case{"len('x' * 10 ** 12)", 5, "takes too many steps"},
        Case{"len([1, 2] * 9223372036854775807)", 5, "takes too many steps"}));

TEST(ExpressionLimits, StopDeepAndLongOnes) {
  const auto repeat = [](const std::string& piece, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += piece;
    return out;
  };
  for (const char* piece : {"(", "[", "not ", "-", "2 ** ", "1 if 1 else ", "abs("}) {
    EXPECT_THAT(error_of(repeat(piece, 5000) + "1"), HasSubstr("nested too deeply")) << piece;
  }
  EXPECT_THAT(error_of("1" + repeat(" + tile", 2000)), HasSubstr("too many operators in a row"));
  EXPECT_EQ(error_of("1" + repeat(" or tile", 5000)), "no error: 1");
  EXPECT_THAT(error_of(std::string(70'000, ' ')), HasSubstr("has 70000 bytes; the limit is 65536"));
  // Lists that share their parts: 2^40 elements in a few bytes.
  const std::string doubled = repeat("[", 40) + "1" + repeat("] * 2", 40);
  EXPECT_THAT(error_of(doubled + " == " + doubled), HasSubstr("takes too many steps"));
}

TEST(ExpressionPlace, ShowsTheCaret) {
  EXPECT_EQ(show({"tile + 1 // zero", 7, 9}), "tile + 1 // zero\n       ^^^^^^^^^");
  EXPECT_EQ(show({"1 +", 3, 0}), "1 +\n   ^");
  EXPECT_EQ(show({"1\n+", 2, 100}), "1 +\n  ^");
  const std::string longer = show({std::string(500, 'x') + "?", 500, 1});
  EXPECT_EQ(longer, std::string(50, 'x') + "?\n" + std::string(50, ' ') + "^");
  Place place;
  error_of("block_x // (tile - 2)", &place);
  EXPECT_EQ(show(place), "block_x // (tile - 2)\n^^^^^^^^^^^^^^^^^^^^^");
}

TEST(Expression, KnowsItsNamesAndTakesConfigs) {
  const auto expression =
      Expression::compile("(4096 + block_x - 1) // block_x * tile", kKnownNames);
  ASSERT_TRUE(expression);
  EXPECT_THAT(expression->uses(), ::testing::ElementsAre("block_x", "tile"));
  EXPECT_EQ(expression->text(), "(4096 + block_x - 1) // block_x * tile");
  const Config config{{"tile", std::int64_t{2}}, {"block_x", std::int64_t{100}}};
  EXPECT_EQ(expression->evaluate(config), Value(std::int64_t{82}));
  const auto missing = expression->evaluate(Config{{"tile", std::int64_t{2}}});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("needs a value for \"block_x\""));
  const auto few = expression->evaluate(std::vector<Value>{true});
  ASSERT_FALSE(few);
  EXPECT_THAT(few.error().message, HasSubstr("takes 4 values, not 1"));
  EXPECT_EQ(expression->test(kKnownValues), true);
}

TEST(ParseValues, ReadsListsAsT1FilesWriteThem) {
  const auto size = [](const char* text) { return parse_values(text).value().size(); };
  EXPECT_EQ(size("[1, 2, 4, 8, 16] + list(range(32, 1024+1, 32))"), 37U);
  EXPECT_EQ(size("[2**i for i in range(0, 6)]"), 6U);
  EXPECT_EQ(size("range(3)"), 3U);
  EXPECT_EQ(size("1, 2"), 2U);
  EXPECT_EQ(parse_values("[True, 1, 0.5, 'row']").value(),
            (std::vector<Value>{true, std::int64_t{1}, 0.5, std::string("row")}));
  EXPECT_THAT(parse_values("5").error().message, HasSubstr("the result is not a list"));
  EXPECT_THAT(parse_values("[[1]]").error().message, HasSubstr("the list contains a list"));
}

}  // namespace
}  // namespace vyre::space
