#include "testing/run_command.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace vyre::testing {
namespace {

TEST(RunCommand, KeepsBothOutputsAndTheExitCode) {
  const auto result = run_command({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_FALSE(result.timed_out);
}

TEST(RunCommand, TakesMoreThanAPipeHolds) {
  const auto result =
      run_command({"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"});
  EXPECT_EQ(result.out.size(), 300'000U);
  EXPECT_EQ(result.err.size(), 300'000U);
}

TEST(RunCommand, AddsToTheEnvironment) {
  const CommandOptions options{.environment = {"VYRE_TEST_NAME=a b", "HOME=elsewhere"}};
  EXPECT_EQ(run_command({"sh", "-c", "echo $VYRE_TEST_NAME $HOME"}, options).out,
            "a b elsewhere\n");
}

TEST(RunCommand, KillsWhatHangs) {
  const CommandOptions options{.timeout = std::chrono::milliseconds(50)};
  const auto result = run_command({"sh", "-c", "sleep 1000; true"}, options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(RunCommand, SaysWhatCannotBeStarted) {
  const auto result = run_command({"no-such-program"});
  EXPECT_EQ(result.exit_code, 127);
  EXPECT_EQ(result.err, "no-such-program: No such file or directory");
}

}  // namespace
}  // namespace vyre::testing
