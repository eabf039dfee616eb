// The command line as a user sees it: exit codes, and every message of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "testing/run_command.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

testing::CommandResult vyre(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), VYRE_CLI);
  return testing::run_command(arguments);
}

TEST(Cli, HelpSaysWhatThereIsAndTheExitCodes) {
  const auto result = vyre({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("Usage: vyre"));
  EXPECT_THAT(result.out, HasSubstr("ops"));
  EXPECT_THAT(result.out, HasSubstr("Exit codes: 0 done, 1 an error"));
}

TEST(Cli, VersionIsOneLineAndThatOfTheProject) {
  const auto result = vyre({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  ASSERT_THAT(result.out, ::testing::MatchesRegex("vyre [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  std::ifstream file(VYRE_SOURCE_DIR "/CMakeLists.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string version = result.out.substr(5, result.out.size() - 6);
  EXPECT_THAT(text, HasSubstr("project(vyre VERSION " + version + " "));
}

TEST(Cli, WrongCommandLinesGiveOneLineAndExitCodeTwo) {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const std::vector<Case> cases{
      {{}, "vyre: no command given; see vyre --help\n"},
      {{"opps"}, "vyre: unknown command \"opps\"; did you mean \"ops\"?; see vyre --help\n"},
      {{"a\nb"}, "vyre: unknown command \"a\\x0ab\"; see vyre --help\n"},
      {{""}, "vyre: unknown command \"\"; see vyre --help\n"},
      {{"--vesion"},
       "vyre: unexpected argument \"--vesion\"; did you mean \"--version\"?; see vyre --help\n"},
      {{"ops", "--hepl"},
       "vyre: unexpected argument \"--hepl\"; did you mean \"--help\"?; see vyre ops --help\n"},
      {{"ops", "surplus"}, "vyre: unexpected argument \"surplus\"; see vyre ops --help\n"},
  };
  for (const auto& [arguments, message] : cases) {
    const auto result = vyre(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_EQ(result.out, "") << message;
    EXPECT_EQ(result.err, message);
  }
}

TEST(Cli, AFileOfAnotherCommandIsNamedAsSuch) {
  const testing::TemporaryFolder folder;
  const std::string file = (folder / "twice.json").string();
  std::ofstream(file) << "\n {\"ConfigurationSpace\": {}}\n";
  for (const char* command : {"run", "fuse"}) {
    const auto result = vyre({command, file});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.err, "vyre: \"" + file +
                              "\" is JSON; this command takes programs in text form, and `vyre "
                              "tune` T1 files\n");
  }
  EXPECT_THAT(vyre({"replay", file}).err, HasSubstr("it is a T1 file, which describes a problem"));
}

TEST(Cli, OpsListsTheTable) {
  const auto result = vyre({"ops"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("op        operands  takes"));
  EXPECT_THAT(result.out, HasSubstr("\nadd "));
}

TEST(Cli, SaysWhenItsOutputCannotBeWritten) {
  const std::string command = std::string(VYRE_CLI) + " ops > /dev/full";
  const auto result = testing::run_command({"sh", "-c", command});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "vyre: cannot write to standard output: is the disk full?\n");
}

}  // namespace
}  // namespace vyre
