// A child that was forked from an application gets an error from its parent's runtime.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing/tuned_programs.h"
#include "vyre/runtime.h"

namespace vyre {
namespace {

// The exit code of a child that runs `body`; -1 if it has to be killed because it hangs.
template <class Body>
int in_child(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr std::string_view kMessage =
    "this process was forked from the one that opened the device; open a device of its own in the "
    "child, or fork before the first is opened";

TEST(Fork, AChildGetsAnErrorAtItsFirstLaunch) {
  for (const auto& device : {open_reference(), *open_best_device()}) {
    auto runtime = Runtime::open(device, {.mode = Mode::natural, .miss_budget = {.seconds = 0.1}});
    ASSERT_TRUE(runtime);
    const auto program = testing::busy_program();
    ASSERT_TRUE(runtime->declare(program, {.space = testing::busy_space()}));
    const auto x = testing::words(1000);
    const std::vector<Input> inputs{as_input(x)};
    ASSERT_TRUE(runtime->launch(program, {.inputs = inputs}));
    const auto dispatcher = make_dispatcher(device);
    const int code = in_child([&] {
      const auto launched = runtime->launch(program, {.inputs = inputs});
      if (launched || launched.error().message != kMessage) return 1;
      const auto dispatched = dispatcher->dispatch(program, Call{.inputs = inputs});
      if (dispatched || dispatched.error().message != kMessage) return 2;
      if (runtime->finish()) return 3;
      {
        const Runtime ended = *std::move(runtime);
      }  // waits for no thread
      return 0;
    });
    EXPECT_EQ(code, 0) << device->info().name;
    EXPECT_TRUE(runtime->launch(program, {.inputs = inputs})) << "the parent goes on";
  }
}

TEST(Fork, AChildMayOpenADeviceOfItsOwn) {
  const auto before = Runtime::open(open_reference(), {});
  ASSERT_TRUE(before);
  const int code = in_child([&] {
    auto own = Runtime::open(open_reference(), {});
    const auto x = testing::words(100);
    const std::vector<Input> inputs{as_input(x)};
    const auto out = own->launch(testing::busy_program(), {.inputs = inputs});
    return out && values_of<std::uint32_t>((*out)[0]) == testing::busy_result(100) ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace vyre
