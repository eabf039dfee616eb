// `vyre tune`, `vyre replay` and `vyre space` as a user types them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testing/landscapes.h"
#include "testing/run_command.h"
#include "testing/shared_data.h"
#include "testing/temporary_folder.h"
#include "testing/xml.h"
#include "vyre/recording.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

testing::CommandResult vyre(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), VYRE_CLI);
  return testing::run_command(arguments);
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Files : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path() / name; }

  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }

  std::string recording() const {
    const std::string path = file("small_T4.json.gz");
    const auto result = recording::write_t4(path, testing::small_landscape());
    EXPECT_TRUE(result) << result.error().message;
    return path;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Files, ReplayScoresStrategiesAndWritesTheirRuns) {
  const auto result = vyre({"replay", recording(), "--strategy", "natural,random", "--runs", "3",
                            "--budget", "30", "--out", file("runs.jsonl")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("over 1 space(s)"));
  EXPECT_THAT(result.out, HasSubstr("natural"));
  std::istringstream lines(contents(file("runs.jsonl")));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto run = nlohmann::json::parse(line);
    EXPECT_EQ(run["space"], "small");
    EXPECT_EQ(run["strategy"], count < 3 ? "natural" : "random");
    EXPECT_EQ(run["seed"], count % 3);
    EXPECT_EQ(run["values"].size(), 30U);
  }
  EXPECT_EQ(count, 6);
}

// What Kernel Tuner measured can be replayed, and what we recorded can go to it and come back.
TEST_F(Files, ConvertWritesTheFilesOfKernelTuner) {
  const auto converted = vyre({"convert", recording(), file("cache.json"), "--format",
                               "kernel-tuner", "--kernel", "small"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_EQ(nlohmann::json::parse(contents(file("cache.json")))["kernel_name"], "small");
  const auto replayed = vyre({"replay", file("cache.json"), "--runs", "1", "--budget", "10"});
  EXPECT_EQ(replayed.exit_code, 0) << replayed.err;
  EXPECT_EQ(vyre({"convert", file("cache.json"), file("back.json.gz")}).exit_code, 0);
  const auto back = recording::read_recording(file("back.json.gz"));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->parameters, testing::small_landscape().parameters);
  const std::string csv = written("plain.csv", "x,time_ms\n1,2\n");
  const auto nameless = vyre({"convert", csv, file("x.json"), "--format", "kernel-tuner"});
  EXPECT_EQ(nameless.exit_code, 1);
  EXPECT_THAT(nameless.err, HasSubstr("give the name of the kernel function with --kernel"));
  EXPECT_FALSE(std::filesystem::exists(file("x.json")));
}

TEST_F(Files, ReplayWithoutFilesShowsTheStrategiesOnBundledRecordings) {
  const auto result = vyre({"replay", "--runs", "1", "--budget", "20", "--plot", file("x.svg")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("over 3 space(s)"));
  const std::string svg = contents(file("x.svg"));
  EXPECT_EQ(testing::xml_problem(svg), "");
  for (const char* name : {"conv2d", "gemm", "reduction"}) {
    EXPECT_THAT(result.out, HasSubstr(std::string("\n") + name));
    EXPECT_THAT(svg, HasSubstr(std::string(">") + name + " ("));
  }
  for (const char* name : {"natural", "evolution", "local", "random"}) {
    EXPECT_THAT(result.out, HasSubstr(std::string("\n") + name));
    EXPECT_THAT(svg, HasSubstr(std::string(">") + name));
  }
}

TEST_F(Files, ReplayLearnsFromSiblings) {
  const std::string own = recording();
  const std::string sibling = file("other.json");
  ASSERT_TRUE(recording::write_t4(sibling, testing::small_landscape()));
  const auto result = vyre({"replay", own, "--seed-from", own, "--seed-from", sibling, "--runs",
                            "2", "--budget", "3", "--T", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(
      result.out.starts_with("small: seeded from other: 108 of its 120 configurations\nnatural"))
      << result.out;
  EXPECT_THAT(result.out, HasSubstr("+1.000")) << "the optimum at once";
  EXPECT_THAT(vyre({"replay", own, "--seed-from", file("missing.csv")}).err,
              HasSubstr("vyre: cannot open "));
}

TEST_F(Files, ReplaySaysWhatIsWrong) {
  const std::string good = recording();
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    std::string message;
  };
  const std::vector<Case> cases{
      {{"replay", good, "--strategy", "best"}, 1, "vyre: there is no strategy \"best\""},
      {{"replay", good, "--runs", "0"}, 2, "vyre: --runs: Value 0 not in range"},
      {{"replay", file("missing.csv")}, 1, "vyre: cannot open "},
      {{"replay", written("bad.csv", "a,b\n1,2\n")}, 1, "vyre: "},
      {{"replay", written("all_fail.csv", "a,time_ms\n1,\n2,\n")},
       1,
       "the recording has no valid configuration: nothing to find\n"},
      {{"replay", good, "--runs", "1", "--out", file("no/such/folder/x")},
       1,
       "; make it or choose another place\n"},
      {{"replay", good, "--plot", file("no/such/folder/x")},
       1,
       "; make it or choose another place\n"},
      {{"replay", file("missing.csv"), "--plot", folder_.path()}, 1, "it is no ordinary file"},
  };
  for (const Case& c : cases) {
    const auto result = vyre(c.arguments);
    EXPECT_EQ(result.exit_code, c.exit_code) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

constexpr const char* kProblem = R"({
  "General": {"BenchmarkName": "small", "FormatVersion": 1},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block", "Type": "int", "Values": "[16, 32, 64]", "Default": 64},
      {"Name": "tile", "Type": "int", "Values": "[1, 2, 4]", "Default": 4}
    ],
    "Conditions": [{"Expression": "CONDITION", "Parameters": ["block", "tile"]}]
  },
  "KernelSpecification": {"Language": "OpenCL", "KernelName": "k", "KernelFile": "k.cl",
                          "GlobalSize": {"X": "1024"}, "LocalSize": {"X": "block"}}
})";

std::string problem_with(const std::string& condition) {
  std::string text = kProblem;
  return text.replace(text.find("CONDITION"), 9, condition);
}

TEST_F(Files, SpaceCountsAndDescribes) {
  const auto result = vyre({"space", written("t1.json", problem_with("block * tile <= 128"))});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("8 valid of 9 combinations (88.9 %)"));
  EXPECT_THAT(result.out, HasSubstr("built in "));
  EXPECT_THAT(result.err, HasSubstr("vyre: ")) << "the default 64 x 4 is not valid";
}

TEST_F(Files, SpacePointsAtWhatIsWrong) {
  const auto unknown = vyre({"space", written("t1.json", problem_with("block * tyle <= 128"))});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("column 9 at \"tyle\": unknown name \"tyle\"; did you mean "
                                     "\"tile\"?\n"));
  const auto zero = vyre({"space", written("t1.json", problem_with("block // (tile - 1) > 8"))});
  EXPECT_EQ(zero.exit_code, 1);
  EXPECT_THAT(zero.err, HasSubstr("block // (tile - 1) > 8\n^^^^^^"));
  EXPECT_THAT(zero.err, HasSubstr("by zero"));
}

// The figures of the project's scorer, to the digit it prints.
TEST_F(Files, ReplayAgreesWithTheScorer) {
  const auto shared = testing::shared_dir(VYRE_SOURCE_DIR);
  if (!shared) GTEST_SKIP() << "no shared recordings beside the checkout";
  const std::string space = *shared / "search/spaces/pnpoly_RTX_3090.csv.gz";
  const auto result = vyre({"replay", space, "--strategy", "random,local", "--runs", "4",
                            "--budget", "150", "--out", file("runs.jsonl")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto scorer = testing::run_command(
      {"python3", *shared / "search/score.py", "--T", "150", file("runs.jsonl")});
  ASSERT_EQ(scorer.exit_code, 0) << scorer.err;
  for (const char* strategy : {"random", "local"}) {
    // | strategy | runs | score ± s.e. | worst | @10 | ...
    const std::size_t row = scorer.out.find(std::string("| ") + strategy + " |");
    ASSERT_NE(row, std::string::npos) << scorer.out;
    std::istringstream cells(scorer.out.substr(row));
    std::string word;
    std::vector<std::string> words;
    while (words.size() < 20 && cells >> word) {
      if (word != "|" && word != "±") words.push_back(word);
    }
    const std::string ours = result.out.substr(result.out.find("over 1 space(s)"));
    for (std::size_t k = 1; k < 8; ++k) EXPECT_THAT(ours, HasSubstr(words[k])) << strategy;
  }
}

}  // namespace
}  // namespace vyre
