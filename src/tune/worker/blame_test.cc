#include "tune/worker/blame.h"

#include <gtest/gtest.h>

namespace vyre::worker {
namespace {

TEST(Blame, OnlyWhatWouldBeTheSameOnAnyDayIsTheConfigurationsOwn) {
  struct Case {
    Status status;
    const char* why;
    bool is_own;
  };
  const Case cases[] = {
      {Status::correctness, "y[3] is 1, not 2", true},
      {Status::compile, "\"k\" does not compile: 3:1: error: unknown type name 'x'", true},
      {Status::compile, "\"k\" does not compile: the compiler says nothing", false},
      {Status::compile, "\"k\" does not compile: Device pthread failed to build the program",
       false},
      {Status::compile, "error: unable to open output file: 'No space left on device'", false},
      {Status::compile, "ld: final link failed: Input/output error", false},
      {Status::runtime, "it crashed (signal 11)", false},
      {Status::runtime, "", false},
      {Status::timeout, "a run took more than 10 s", false},
  };
  for (const auto& [status, why, is_own] : cases) {
    EXPECT_EQ(is_own_failure(status, why), is_own) << why;
  }
}

}  // namespace
}  // namespace vyre::worker
