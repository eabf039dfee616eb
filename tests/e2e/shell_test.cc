// What shells and man make of the command: help, the manual page, completions. Each is tried with
// the program that reads it; one that is missing is named.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "testing/run_command.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

testing::CommandResult vyre(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), VYRE_CLI);
  return testing::run_command(arguments);
}

bool has_program(const std::string& name) {
  return testing::run_command({"sh", "-c", "command -v " + name}).exit_code == 0;
}

class Shell : public ::testing::Test {
 protected:
  // What the command prints, in a file.
  std::string page(const std::vector<std::string>& arguments) const {
    const auto printed = vyre(arguments);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    const std::string path = (folder_ / "page").string();
    std::ofstream(path) << printed.out;
    return path;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Shell, HelpIsAnotherWordForTheOption) {
  EXPECT_EQ(vyre({"help"}).out, vyre({"--help"}).out);
  EXPECT_EQ(vyre({"help", "tune"}).out, vyre({"tune", "--help"}).out);
  EXPECT_EQ(vyre({"help", "cache", "list"}).out, vyre({"cache", "list", "--help"}).out);
  EXPECT_EQ(vyre({"help", "tuna"}).err,
            "vyre: unknown command \"tuna\"; did you mean \"tune\"?; see vyre --help\n");
}

TEST_F(Shell, HelpKeepsToEightyColumns) {
  for (const char* command : {"tune", "devices", "run", "explain", "report", "cache", "replay",
                              "space", "convert", "fuse", "ops", "manual", "completion"}) {
    std::istringstream lines(vyre({command, "--help"}).out + vyre({"--help"}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80) << line;
  }
}

TEST_F(Shell, TheManualPageHasEveryCommand) {
  const std::string out = vyre({"manual"}).out;
  for (const char* text : {".TH VYRE 1", ".SS vyre tune", ".SS vyre cache export",
                           "\\fB\\-\\-budget\\fR \\fIFLOAT\\fR", "One of: v1, json, c\\-header."}) {
    EXPECT_THAT(out, HasSubstr(text));
  }
}

TEST_F(Shell, MandocFindsNothingWrongWithTheManualPages) {
  if (!has_program("mandoc")) GTEST_SKIP() << "mandoc is missing; run tools/setup --all";
  const auto checked = testing::run_command(
      {"mandoc", "-Tlint", "-Wwarning", page({"manual"}), VYRE_SOURCE_DIR "/cmake/vyre-worker.1"});
  std::istringstream lines(checked.out);
  for (std::string line; std::getline(lines, line);) {
    // The same command prints the same page on any day.
    EXPECT_THAT(line, HasSubstr("missing date"));
  }
}

struct Typed {
  std::string line;  // the last word is to be completed
  std::vector<std::string> offers;
};
const std::vector<Typed> kTyped{
    {"vyre tu", {"tune"}},
    {"vyre cache exp", {"export"}},
    {"vyre tune --ev", {"--evaluations"}},
    {"vyre cache export --format j", {"json"}},
    {"vyre completion z", {"zsh"}},
};

TEST_F(Shell, BashCompletes) {
  const std::string script = page({"completion", "bash"});
  for (const auto& [line, offers] : kTyped) {
    const auto result = testing::run_command(
        {"bash", "-c",
         "source " + script + "; COMP_WORDS=(" + line +
             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _vyre; printf '%s\\n' ${COMPREPLY[@]}"});
    EXPECT_EQ(result.err, "") << line;
    EXPECT_EQ(result.out, offers.front() + "\n") << line;
  }
}

TEST_F(Shell, FishCompletes) {
  if (!has_program("fish")) GTEST_SKIP() << "fish is missing; run tools/setup --all";
  const std::string script = page({"completion", "fish"});
  for (const auto& [line, offers] : kTyped) {
    const auto result = testing::run_command(
        {"fish", "--no-config", "-c", "source " + script + "; complete -C '" + line + "'"});
    EXPECT_EQ(result.err, "") << line;
    std::istringstream lines(result.out);
    std::string first;
    std::getline(lines, first);
    EXPECT_EQ(first.substr(0, first.find('\t')), offers.front()) << line << "\n" << result.out;
  }
}

// zsh completes at a terminal only, so one is made for it.
TEST_F(Shell, ZshCompletes) {
  if (!has_program("zsh")) GTEST_SKIP() << "zsh is missing; run tools/setup --all";
  const std::string script = page({"completion", "zsh"});
  std::ofstream(folder_ / "ask.zsh") << R"(
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -D -u; source $1; echo REA''DY"
zpty -r shell text '*READY*'
zpty -w -n shell "$2"$'\t'
for k in {1..100}; do
  zpty -r -t shell more && text+=$more
  [[ $text == *"$3"* ]] && { print found; exit 0 }
  sleep 0.05
done
print -r -- $text
)";
  for (const auto& [line, offers] : kTyped) {
    const auto result = testing::run_command(
        {"zsh", "-f", (folder_ / "ask.zsh").string(), script, line, offers.front()});
    EXPECT_EQ(result.out, "found\n") << line << "\n" << result.err;
  }
}

}  // namespace
}  // namespace vyre
