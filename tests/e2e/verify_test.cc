// `vyre tune --verify COMMAND`: a command that judges results, as a user runs it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "testing/twice_problem.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Every `way` is 2 x plus the way, so that no two have the same output.
constexpr const char* kKernel = R"(
kernel void twice(global const float* x, global float* y, uint n) {
  uint i = get_global_id(0);
  if (i < n) y[i] = 2 * x[i] + way;
}
)";

class Verify : public ::testing::Test {
 protected:
  Verify() {
    write("twice.cl", kKernel);
    write("twice.json", testing::to_t1({.ways = "0, 1", .blocks = "64"}));
    fs::create_directory(folder_ / "tmp");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  // The whole space, of two configurations. The shell script judges.
  testing::CommandResult tune(const std::string& script,
                              const std::vector<std::string>& more) const {
    write("judge", script);
    std::vector<std::string> arguments{VYRE_CLI,     "tune",     (folder_ / "twice.json").string(),
                                       "--device",   "opencl",   "--strategy",
                                       "exhaustive", "--verify", "sh '" + path("judge") + "'"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return testing::run_command(
        arguments, {.timeout = std::chrono::milliseconds(120'000),
                    .environment = {"XDG_CACHE_HOME=" + path("cache"), "TMPDIR=" + path("tmp")}});
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  testing::TemporaryFolder folder_;
};

// The command sees both configurations, their outputs and the inputs; its last line is the reason.
TEST_F(Verify, ACommandJudgesEveryConfiguration) {
  const std::string seen = path("seen");
  const auto tuned =
      tune("cd \"$1\" && wc -c < input/x.bin >> '" + seen + "' && wc -c < output/y.bin >> '" +
               seen + "' && cat config.json >> '" + seen +
               "'\nif grep -q '\"way\": 1' config.json; then echo first; "
               "echo 'way 1 is wrong' >&2; exit 1; fi\n",
           {"--ignore", "y", "--verbose"});
  EXPECT_EQ(tuned.exit_code, 3) << tuned.err;
  EXPECT_THAT(tuned.err, HasSubstr("correctness  block=64, way=1"));
  EXPECT_THAT(tuned.err, HasSubstr("way 1 is wrong"));
  EXPECT_THAT(tuned.out, HasSubstr("failed: 1 correctness"));
  std::ifstream in(seen);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(text, HasSubstr("16384\n16384\n"));
  EXPECT_THAT(text, HasSubstr("\"kernel\": \"twice\""));
  EXPECT_THAT(text, HasSubstr("\"way\": 0"));
  EXPECT_THAT(text, HasSubstr("\"way\": 1"));
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "its folder is left";
}

TEST_F(Verify, WithoutIgnoreOutputsAreComparedToo) {
  const auto tuned = tune("exit 0", {"--verbose"});
  EXPECT_EQ(tuned.exit_code, 3) << tuned.err;
  EXPECT_THAT(tuned.err, HasSubstr("correctness  block=64, way=1"));
}

TEST_F(Verify, ADefaultThatIsWrongEndsIt) {
  const auto tuned = tune("echo 'the sum is 3, not 4'; exit 1", {"--ignore", "y"});
  EXPECT_EQ(tuned.exit_code, 5) << tuned.err;
  EXPECT_THAT(tuned.err, HasSubstr("the sum is 3, not 4"));
}

struct Mistake {
  const char* script;
  std::vector<std::string> more;
  const char* message;
};

TEST_F(Verify, FaultsOfTheCommandAndTheCommandLine) {
  const std::vector<Mistake> mistakes{
      {"echo no numpy >&2; exit 3",
       {},
       "ended with exit code 3, and not with 0 for right or 1 for wrong: no numpy"},
      {"kill -9 $$",
       {},
       "ended with exit code 137, and not with 0 for right or 1 for wrong: Killed"},
      {"sleep 100", {"--run-limit", "0.5"}, "took longer than 500 ms and was ended; raise"},
      {"exit 1", {}, "--verify says that it is wrong"},
      {"exit 0", {"--ignore", "x"}, "there is no output \"x\"; did you mean \"y\"?; there is y"},
      {"exit 0",
       {"--launcher", "env"},
       "--verify runs on this machine and cannot be used with --launcher"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto tuned = tune(mistake.script, mistake.more);
    EXPECT_THAT(tuned.exit_code, ::testing::AnyOf(1, 5)) << mistake.message;
    EXPECT_THAT(tuned.err, HasSubstr(mistake.message));
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << mistake.message;
  }
}

}  // namespace
}  // namespace vyre
