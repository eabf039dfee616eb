#include "base/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vyre {
namespace {

TEST(Quote, EscapesWhatWouldBreakALine) {
  EXPECT_EQ(quote("n"), "\"n\"");
  EXPECT_EQ(quote("a\nb\"c\\"), R"("a\x0ab\"c\\")");
  EXPECT_EQ(quote(std::string(100, 'x')), "\"" + std::string(80, 'x') + "...\"");
}

TEST(QuotePath, ShowsNamesOfFilesWhole) {
  const std::string longest = "/" + std::string(4095, 'x');
  EXPECT_EQ(quote_path(longest), "\"" + longest + "\"");
  EXPECT_EQ(quote_path("a\n\"b\\\x1b[1m"), R"("a\x0a\"b\\\x1b[1m")");
  EXPECT_EQ(quote_path(longest + "y"), "\"" + longest + "...\"");
}

TEST(NearestName, FindsTyposAndOnlyTypos) {
  const std::vector<std::string> known{"block_x", "block_y", "tile"};
  struct Case {
    const char* typed;
    const char* meant;
  };
  for (const auto& [typed, meant] : {Case{"blok_x", "block_x"}, Case{"tiles", "tile"},
                                     Case{"itle", "tile"}, Case{"tiel", "tile"}}) {
    EXPECT_EQ(nearest_name(typed, known), meant) << typed;
  }
  EXPECT_EQ(nearest_name("unroll", known), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1000, 'b'), known), std::nullopt);
  EXPECT_EQ(did_you_mean("tilee", known), "; did you mean \"tile\"?");
  EXPECT_EQ(did_you_mean("", known), "");
}

TEST(Escaped, StaysInItsLineAndLeavesTheTerminalAlone) {
  EXPECT_EQ(escaped("a \"b\" \\ \xc3\xa9"), "a \"b\" \\ \xc3\xa9");
  EXPECT_EQ(escaped("a\n\x1b[31m\x7f"), "a\\x0a\\x1b[31m\\x7f");
  EXPECT_EQ(escaped("\xc2\x9b"
                    "31m \xc2\xa0"),
            "\\xc2\\x9b31m \xc2\xa0");
  EXPECT_EQ(quote("\xc2\x9b"), "\"\\xc2\\x9b\"");
}

TEST(QuoteIfOdd, LeavesWordsAlone) {
  EXPECT_EQ(quote_if_odd("gemm 2"), "gemm 2");
  EXPECT_EQ(quote_if_odd(""), "\"\"");
  EXPECT_EQ(quote_if_odd("a\nb"), "\"a\\x0ab\"");
  EXPECT_EQ(quote_if_odd("a\"b"), "\"a\\\"b\"");
  EXPECT_EQ(quote_if_odd(std::string(81, 'x')), "\"" + std::string(80, 'x') + "...\"");
}

}  // namespace
}  // namespace vyre
