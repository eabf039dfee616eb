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

TEST(NearestName, FindsTyposAndOnlyTypos) {
  const std::vector<std::string> known{"block_x", "block_y", "tile"};
  struct Case {
    const char* typed;
    const char* meant;
  };
  for (const auto& [typed, meant] : {Case{"blok_x", "block_x"}, Case{"tiles", "tile"}}) {
    EXPECT_EQ(nearest_name(typed, known), meant) << typed;
  }
  EXPECT_EQ(nearest_name("unroll", known), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(1000, 'b'), known), std::nullopt);
  EXPECT_EQ(did_you_mean("tilee", known), "; did you mean \"tile\"?");
  EXPECT_EQ(did_you_mean("", known), "");
}

}  // namespace
}  // namespace vyre
