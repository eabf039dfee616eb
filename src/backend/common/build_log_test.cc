#include "backend/common/build_log.h"

#include <gtest/gtest.h>

namespace vyre::backend {
namespace {

TEST(BuildLog, KeepsWhatSpeaksOfErrors) {
  EXPECT_EQ(shortened_log("a.cl:1:2: warning: x\n\na.cl:3:4: error: y\n  code\n ^\n"),
            "a.cl:3:4: error: y");
  EXPECT_EQ(shortened_log("error.cl:1:2: warning: x\nerror: error.cl:3:4: y\n1 error generated.\n"),
            "error: error.cl:3:4: y");
  EXPECT_EQ(shortened_log("ptxas error   : too much shared data\nptxas info\n"),
            "ptxas error   : too much shared data");
  EXPECT_EQ(shortened_log("note\n2 errors\n"), "2 errors");
  EXPECT_EQ(shortened_log("first\nsecond\t\x01!\n"), "first; second  !");
  EXPECT_EQ(shortened_log(" \n"), "the compiler says nothing");
  std::string many;
  for (int k = 0; k < 20; ++k) many += std::string(380, '.') + "error: the same again\n";
  EXPECT_FALSE(shortened_log(many).ends_with(" more lines"));
  many += many;
  EXPECT_TRUE(shortened_log(many).ends_with("; and 19 more lines")) << shortened_log(many);
}

}  // namespace
}  // namespace vyre::backend
