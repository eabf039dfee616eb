// libpq is needed by vyre-agent, and by nothing else of vyre.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/run_command.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Libraries, OnlyTheAgentNeedsLibpq) {
  for (const char* program : {VYRE_CLI, VYRE_WORKER, VYRE_NODE, VYRE_APPLICATION}) {
    const auto ldd = testing::run_command({"ldd", program});
    ASSERT_EQ(ldd.exit_code, 0) << ldd.err;
    EXPECT_THAT(ldd.out, HasSubstr("libc.so")) << program;
    EXPECT_THAT(ldd.out, Not(HasSubstr("libpq"))) << program;
  }
  EXPECT_THAT(testing::run_command({"ldd", VYRE_AGENT}).out, HasSubstr("libpq"));
}

}  // namespace
}  // namespace vyre
