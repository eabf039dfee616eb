// A compiler that does not end: the call that asked for it does.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
#include "testing/twice_problem.h"
#include "vyre/call.h"
#include "vyre/opencl.h"

namespace vyre {
namespace {

Expected<Outputs> launch_bomb() {
  VYRE_TRY(const auto device,
           open_device("opencl", {.build_limit = std::chrono::milliseconds(300)}));
  VYRE_TRY(auto def, ir::parse(testing::kCompileBomb));
  VYRE_TRY(const ir::Sequence sequence, ir::Sequence::make(std::move(def)));
  const std::vector<std::uint32_t> y(64, 1);
  const std::vector<Input> inputs{as_input(y)};
  return make_dispatcher(device)->dispatch(sequence, {.inputs = inputs});
}

// In a process of its own, because the compiler goes on. It ends within 20 s even if the launch
// does not return.
TEST(OpenclBuildLimitDeathTest, ALaunchReturnsThoughTheCompilerDoesNot) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto launch = [] {
    ::alarm(20);
    const auto launched = launch_bomb();
    std::fputs(launched ? "launched" : launched.error().message.c_str(), stderr);
    ::_exit(0);
  };
  EXPECT_EXIT(launch(), ::testing::ExitedWithCode(0),
              "\"bomb\": compiling took longer than 300 ms and was given up; make the kernel "
              "smaller or raise the limit .DeviceOptions::build_limit.");
}

}  // namespace
}  // namespace vyre
