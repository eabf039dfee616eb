#include "backend/common/build_log.h"

#include <gtest/gtest.h>

namespace vyre::backend {
namespace {

TEST(BuildLog, KeepsWhatSpeaksOfErrors) {
  EXPECT_EQ(shortened_log("a.cl:1:2: warning: x\n\na.cl:3:4: error: y\n  code\n ^\n"),
            "a.cl:3:4: error: y");
  EXPECT_EQ(shortened_log("first\nsecond\t\x01!\n"), "first; second  !");
  EXPECT_EQ(shortened_log(" \n"), "the compiler says nothing");
  std::string many;
  for (int k = 0; k < 50; ++k) many += "error: the same again\n";
  EXPECT_TRUE(shortened_log(many).ends_with("; and 41 more lines")) << shortened_log(many);
}

}  // namespace
}  // namespace vyre::backend
