#include "cli/table.h"

#include <gtest/gtest.h>

namespace vyre::cli {
namespace {

TEST(Table, AlignsByCharactersAndLeavesNoTrailingSpace) {
  Table table({{"kernel"}, {"time", Align::right}, {"note"}});
  table.add({"softmax", "12 µs", "tied"});
  table.add({"gemm", "1.25 ms"});
  table.add({"a", "b", "c", "dropped"});
  EXPECT_EQ(table.text(),
            "kernel      time  note\n"
            "softmax    12 µs  tied\n"
            "gemm     1.25 ms\n"
            "a              b  c\n");
}

TEST(Table, ACellStaysInItsLine) {
  Table table({{"kernel"}, {"note"}});
  table.add({"a\nb", "\x1b[2J"});
  EXPECT_EQ(table.text(), "kernel  note\na\\x0ab  \\x1b[2J\n");
}

TEST(Table, WithoutRowsIsItsTitles) {
  EXPECT_EQ(Table({{"name"}, {"value"}}).text(), "name  value\n");
  EXPECT_EQ(Table({}).text(), "\n");
}

TEST(Table, NotesStandBelowTheirRowAndKeepToTheWidth) {
  Table table({{"kernel"}, {"time", Align::right}}, 20);
  table.add({"gemm", "1 ms"});
  table.note("block_x=2, block_y=8, unroll=4");
  table.note("");
  table.add({"saxpy", "12 µs"});
  table.note("/a/path/that/is/longer/than/a/line is whole");
  EXPECT_EQ(table.text(),
            "kernel   time\n"
            "gemm     1 ms\n"
            "  block_x=2,\n"
            "  block_y=8,\n"
            "  unroll=4\n"
            "saxpy   12 µs\n"
            "  /a/path/that/is/longer/than/a/line\n"
            "  is whole\n");
}

TEST(Table, TheFirstCellStandsAloneWhereTheLineIsTooLong) {
  Table table({{"kernel"}, {"default", Align::right}, {"tuned", Align::right}}, 24);
  table.add({"a_kernel_with_a_name", "1.5 ms", "1 ms"});
  table.note("tried: 3");
  EXPECT_EQ(table.text(),
            "kernel\n"
            "  default  tuned\n"
            "a_kernel_with_a_name\n"
            "   1.5 ms   1 ms\n"
            "  tried: 3\n");
}

TEST(Table, TextIsBrokenAtSpaces) {
  EXPECT_EQ(broken_at("", 5), std::vector<std::string>{});
  EXPECT_EQ(broken_at("ab cd ef", 5), (std::vector<std::string>{"ab cd", "ef"}));
  EXPECT_EQ(broken_at("µµ µµ µµ", 5), (std::vector<std::string>{"µµ µµ", "µµ"}));
  EXPECT_EQ(broken_at("abcdefg h", 5), (std::vector<std::string>{"abcdefg", "h"}));
}

}  // namespace
}  // namespace vyre::cli
