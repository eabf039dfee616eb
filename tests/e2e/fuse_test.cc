// `vyre fuse` as a user sees it.

#include <gtest/gtest.h>

#include "testing/run_command.h"

namespace vyre {
namespace {

testing::CommandResult fuse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {VYRE_CLI, "fuse"});
  return testing::run_command(arguments);
}

TEST(Fuse, SaysPressureDecisionAndWhy) {
  const auto result = fuse({"--ranks", "64,64,8", "--threshold", "32"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "pressure  32768\n"
            "decision  fuse\n"
            "why       the geometric mean of 3 rank(s), about 32, is at most 32\n"
            "device    interpreter (reference)\n");
}

TEST(Fuse, GivesJson) {
  struct Case {
    const char* ranks;
    const char* threshold;
    const char* json;
  };
  for (const auto& [ranks, threshold, json] : {
           Case{"64,64,8", "31.9",
                R"({"ranks":[64,64,8],"threshold":31.9,"pressure":32768.0,"fuse":false,)"
                R"("why":"the geometric mean of 3 rank(s), about 32, is above 31.9",)"
                R"("device":"reference"})"},
           Case{"0,0", "1",
                R"({"ranks":[0,0],"threshold":1.0,"pressure":1.0,"fuse":true,)"
                R"("why":"no link carries data, which counts as 1: at most 1",)"
                R"("device":"reference"})"},
           Case{"8", "nan",
                R"({"ranks":[8],"threshold":null,"pressure":8.0,"fuse":false,)"
                R"("why":"a threshold of nan fuses nothing","device":"reference"})"},
       }) {
    const auto result = fuse({"--ranks", ranks, "--threshold", threshold, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, std::string(json) + "\n");
  }
}

TEST(Fuse, WrongInputGivesOneLine) {
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    const char* message;
  };
  const std::vector<Case> cases{
      {{"--ranks", "64,x", "--threshold", "32"},
       1,
       "vyre: --ranks: \"x\" is not an element count; write for example 64,64,8\n"},
      {{"--ranks", "", "--threshold", "32"},
       1,
       "vyre: --ranks: \"\" is not an element count; write for example 64,64,8\n"},
      {{"--ranks", "1,-2", "--threshold", "32"},
       1,
       "vyre: --ranks: \"-2\" is not an element count; write for example 64,64,8\n"},
      {{"--ranks", "1,", "--threshold", "32"},
       1,
       "vyre: --ranks: \"\" is not an element count; write for example 64,64,8\n"},
      {{"--ranks", "99999999999999999999", "--threshold", "32"},
       1,
       "vyre: --ranks: \"99999999999999999999\" is not an element count; write for example "
       "64,64,8\n"},
      {{"--ranks", "8", "--threshold", "big"},
       1,
       "vyre: --threshold: \"big\" is not a number; write for example 32\n"},
      {{"--ranks", "1048577", "--threshold", "32"},
       1,
       "vyre: the core of ranks 1 and 1048577 before rank 1 has more than 1048576 cells; shard the "
       "chain or lower ranks\n"},
      {{"--ranks", "8", "--threshold", "1", "--device", "referense"},
       1,
       "vyre: there is no backend \"referense\"; use one of: best, "},
      {{"--threshold", "1"}, 2, "vyre: --ranks is required; see vyre fuse --help\n"},
  };
  for (const auto& [arguments, exit_code, message] : cases) {
    const auto result = fuse(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << message;
    EXPECT_EQ(result.out, "") << message;
    EXPECT_EQ(result.err.substr(0, std::string(message).size()), message);
  }
}

}  // namespace
}  // namespace vyre
