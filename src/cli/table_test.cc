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

}  // namespace
}  // namespace vyre::cli
