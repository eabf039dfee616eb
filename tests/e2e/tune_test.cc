// `vyre tune` as a user runs it: kernels, budgets, decisions, and candidates that misbehave.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "opencl_faults.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "testing/tuned_programs.h"
#include "testing/twice_problem.h"
#include "testing/xml.h"
#include "vyre/recording.h"
#include "vyre/runtime.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// x[i] * 2, in ways that are chosen by `way`: 1 is wrong, 2 writes behind the buffer, 3 does not
// compile, 4 crashes, 5 hangs, 6 is as good as 0.
constexpr const char* kKernel = R"(
kernel void twice(global const float* x, global float* y, uint n) {
  uint i = get_global_id(0);
#if way == 3
  this does not compile
#endif
  if (i < n) y[i] = way == 1 ? x[i] : 2 * x[i];
  if (way == 2 && i == 0) y[n] = 1;
#if way == 4
  if (i == 0) *(volatile global int*)(16) = 1;
#endif
#if way == 5
  volatile int forever = 1;
  while (forever) {}
#endif
}
)";

const std::string kProblem = testing::to_t1({.ways = "0, 1, 2, 3, 4, 5, 6"});

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Tune : public ::testing::Test {
 protected:
  Tune() {
    write("twice.cl", kKernel);
    write("twice.json", kProblem);
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  testing::CommandResult vyre(std::vector<std::string> arguments,
                              std::vector<std::string> environment = {}) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    environment.push_back("XDG_CACHE_HOME=" + (folder_ / "cache").string());
    return testing::run_command(arguments, {.timeout = std::chrono::milliseconds(120'000),
                                            .environment = std::move(environment)});
  }

  // All of six configurations, of which four fail.
  testing::CommandResult record() const {
    std::string problem = kProblem;
    const std::string_view ways = "[0, 1, 2, 3, 4, 5, 6]";
    problem.replace(problem.find(ways), ways.size(), "[0, 1, 3]");
    return vyre({"tune", write("few.json", problem), "--strategy", "exhaustive", "--device",
                 "opencl", "--json", "--out", (folder_ / "out.json.gz").string()});
  }

  testing::TemporaryFolder folder_;
  std::string said_;  // on standard error
};

TEST_F(Tune, LeavesADecisionWithItsEvidence) {
  const auto tuned = vyre(
      {"tune", "saxpy", "--size", "n=65536", "--evaluations", "6", "--budget", "60", "--json"});
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_EQ(json["kernel"], "saxpy");
  EXPECT_EQ(json["evaluations"], 6);
  EXPECT_EQ(json["failures"], 0);
  EXPECT_GT(json["tuned"]["ns"], 0);
  EXPECT_LE(json["tuned"]["ns"], json["default"]["ns"]);
  const std::string key = json["decision"];
  EXPECT_THAT(key, StartsWith("v2-"));
  const auto listed = vyre({"cache", "list"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("saxpy"));
  const auto explained = vyre({"explain", key});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("saxpy"));
}

// Each configuration is named, the table keeps to 80 columns, and exit code 3 is
// explained.
TEST_F(Tune, SaysWhatBecameOfEachConfigurationAndOfAll) {
  const std::string problem = write("two.json", testing::to_t1({.ways = "0, 3"}));
  const auto tuned = vyre({"tune", problem, "--device", "opencl", "--verbose"});
  EXPECT_THAT(tuned.err, HasSubstr(" ms  block="));
  EXPECT_THAT(tuned.err, HasSubstr("     compile  block="));
  EXPECT_THAT(tuned.out, HasSubstr("\n  failed: "));
  std::istringstream lines(tuned.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80) << line;
  const std::string said = "vyre: nothing faster than the default was found (exit code 3)\n";
  EXPECT_EQ(tuned.err.find(said) != std::string::npos, tuned.exit_code == 3) << tuned.err;
}

// The command line goes before the file.
TEST_F(Tune, DoesWhatItsFileAsksFor) {
  const auto asked = [&](const std::string& search) {
    std::string text = testing::to_t1({.blocks = "8, 16, 32, 64"});
    const std::string budget =
        R"("Budget": [{"Type": "ConfigurationCount", "BudgetValue": 2}], "Search": {"Name": ")";
    return write("asks.json", text.insert(1, budget + search + "\"}, "));
  };
  const auto tried = [&](const std::string& search, std::vector<std::string> more) {
    more.insert(more.begin(), {"tune", asked(search), "--device", "opencl", "--json"});
    const auto tuned = vyre(more);
    EXPECT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
    said_ = tuned.err;
    return nlohmann::json::parse(tuned.out)[0]["evaluations"].get<int>();
  };
  EXPECT_EQ(tried("random_sample", {}), 2);
  EXPECT_THAT(said_, ::testing::Not(HasSubstr("Search asks for")));
  EXPECT_EQ(tried("genetic_algorithm", {"--evaluations", "3"}), 3);
  EXPECT_THAT(said_,
              HasSubstr("vyre: twice: Search asks for \"genetic_algorithm\", which vyre does "
                        "not have; natural is used (--strategy chooses another)"));
  EXPECT_EQ(tried("genetic_algorithm", {"--evaluations", "4", "--strategy", "random"}), 4);
  EXPECT_THAT(said_, ::testing::Not(HasSubstr("Search asks for")));
}

// Way 1 is off by at most the largest element.
TEST_F(Tune, TakesAToleranceFromTheCommandLine) {
  const std::string problem = write("two.json", testing::to_t1({.ways = "0, 1"}));
  const auto failures = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"tune", problem, "--device", "opencl", "--json"});
    const auto tuned = vyre(more);
    EXPECT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
    return nlohmann::json::parse(tuned.out)[0]["failures_by_kind"];
  };
  EXPECT_EQ(failures({}), (nlohmann::json{{"correctness", 2}}));
  EXPECT_EQ(failures({"--atol", "1e9"}), nlohmann::json::object());
  EXPECT_EQ(failures({"--rtol", "1"}), nlohmann::json::object());
}

TEST_F(Tune, CandidatesThatMisbehaveAreNamedAndNeverWinNorAreTriedAgain) {
  const std::string t4 = (folder_ / "out.json").string();
  const std::vector<std::string> command{"tune",     (folder_ / "twice.json").string(),
                                         "--budget", "200",
                                         "--device", "opencl",
                                         "--json",   "--run-limit",
                                         "2",        "--out",
                                         t4};
  const auto tuned = vyre(command);
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_EQ(json["evaluations"], 14);
  EXPECT_EQ(json["failures"], 10);
  EXPECT_EQ(json["stopped"], "whole space tried");
  EXPECT_THAT(json["config"]["way"].get<int>(), ::testing::AnyOf(0, 6));
  const auto recording = recording::read_recording(t4);
  ASSERT_TRUE(recording) << recording.error().message;
  const std::map<std::int64_t, recording::Status> expected{
      {0, recording::Status::ok},          {1, recording::Status::correctness},
      {2, recording::Status::correctness}, {3, recording::Status::compile},
      {4, recording::Status::runtime},     {5, recording::Status::timeout},
      {6, recording::Status::ok}};
  EXPECT_EQ(recording->rows.size(), 14U);
  for (const recording::Row& row : recording->rows) {
    const Value way = recording->parameters[1].values[row.point[1]];
    EXPECT_EQ(row.status, expected.at(std::get<std::int64_t>(way))) << to_string(way);
  }

  // What is known of it is tried first; its own recording is as good as a sibling's.
  const auto seeded = vyre({"tune", (folder_ / "twice.json").string(), "--seed-from", t4,
                            "--evaluations", "2", "--in-process", "--json"});
  ASSERT_THAT(seeded.exit_code, ::testing::AnyOf(0, 3)) << seeded.err;
  const auto other = vyre({"tune", "saxpy", "--seed-from", t4, "--evaluations", "1"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("none of its configurations is one of saxpy"));

  const auto again = vyre(command);
  ASSERT_THAT(again.exit_code, ::testing::AnyOf(0, 3)) << again.err;
  const auto next = nlohmann::json::parse(again.out)[0];
  EXPECT_EQ(next["evaluations"], 4);
  EXPECT_EQ(next["failures"], 0);
}

TEST_F(Tune, ADeviceThatIsLostCostsAFreshWorker) {
  const auto tuned =
      vyre({"tune", "saxpy", "--size", "n=65536", "--evaluations", "6", "--budget", "60", "--json"},
           with_fault("clFinish:60+"));
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_EQ(json["evaluations"], 6);
  EXPECT_EQ(json["failures"], 0);
}

TEST_F(Tune, SourcesNeedNotBeUtf8AndLimitsNeedNotBeNear) {
  write("twice.cl", std::string("// \xa9 1999\n") + kKernel);
  const auto tuned = vyre({"tune", (folder_ / "twice.json").string(), "--evaluations", "2",
                           "--budget", "60", "--run-limit", "inf", "--json"});
  EXPECT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
}

TEST_F(Tune, NamesOfKernelsAreNoPlacesForFiles) {
  std::string problem = kProblem;
  problem.replace(problem.find("\"BenchmarkName\": \"twice\""), 24,
                  "\"BenchmarkName\": \"/precious\"");
  const std::string_view ways = "[0, 1, 2, 3, 4, 5, 6]";  // some of these take the process along
  problem.replace(problem.find(ways), ways.size(), "[0, 6]");
  const auto tuned = vyre({"tune", write("evil.json", problem), "--evaluations", "2", "--budget",
                           "60", "--in-process"});
  EXPECT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  EXPECT_FALSE(std::filesystem::exists("/precious.jsonl"));
  const auto journals = folder_ / "cache" / "vyre" / "journals";
  EXPECT_FALSE(std::filesystem::is_empty(journals));
}

// The second command must neither serve the first one's decision nor run its code: the kernel as it
// is now does not compile.
TEST_F(Tune, AChangedHeaderIsAnotherKernel) {
  std::string problem = kProblem;
  const std::string_view ways = "[0, 1, 2, 3, 4, 5, 6]";
  problem.replace(problem.find(ways), ways.size(), "[0, 6]");
  const std::string t1 = write("twice.json", problem);
  write("twice.cl", std::string("#include \"part.h\"\n") + kKernel);
  write("part.h", "// nothing\n");
  const auto tune = [&] {
    return vyre({"tune", t1, "--device", "opencl", "--budget", "60", "--json"});
  };
  const auto first = tune();
  ASSERT_THAT(first.exit_code, ::testing::AnyOf(0, 3)) << first.err;
  write("part.h", "// nothing much\n");
  const auto second = tune();
  ASSERT_THAT(second.exit_code, ::testing::AnyOf(0, 3)) << second.err;
  const auto old = nlohmann::json::parse(first.out)[0];
  const auto now = nlohmann::json::parse(second.out)[0];
  EXPECT_NE(old["decision"], now["decision"]);
  EXPECT_EQ(now["evaluations"], 4);
  write("part.h", "#error changed\n");
  const auto third = tune();
  EXPECT_EQ(third.exit_code, 5) << third.out;
  EXPECT_THAT(third.err, HasSubstr("changed"));
}

TEST_F(Tune, OwnDataAndMetricsCount) {
  const std::string problem = (folder_ / "twice.json").string();
  const auto floats = [&](const std::string& name, float value) {
    std::ofstream out(folder_ / name, std::ios::binary);
    for (int k = 0; k < 4096; ++k) out.write(reinterpret_cast<const char*>(&value), sizeof value);
    return (folder_ / name).string();
  };
  const std::string ones = floats("ones", 1);
  const auto tune = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"tune", problem, "--evaluations", "1", "--in-process", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return vyre(all);
  };
  const auto right = tune({"--input", "x=" + ones, "--reference", "y=" + floats("twos", 2),
                           "--metric", "Gelem/s=4096 / time_ms / 1e6"});
  EXPECT_EQ(right.exit_code, 3) << right.err;
  EXPECT_GT(nlohmann::json::parse(right.out)[0]["metrics"]["Gelem/s"], 0);
  EXPECT_EQ(nlohmann::json::parse(right.out)[0]["why_not_kept"],
            "the budget was spent on the default alone; give more");
  const auto wrong = tune({"--input", "x=" + ones, "--reference", "y=" + ones});
  EXPECT_EQ(wrong.exit_code, 5);
  EXPECT_THAT(wrong.err, HasSubstr("failed with \"correctness\""));
  // Nothing of it is left when it is mended.
  const auto mended = tune({"--input", "x=" + ones, "--reference", "y=" + floats("twos", 2)});
  EXPECT_EQ(mended.exit_code, 3) << mended.err;

  const std::vector<std::pair<std::vector<std::string>, const char*>> mistakes{
      {{"--input", "x"}, "--input \"x\": write it as NAME=FILE"},
      {{"--input", "z=" + ones}, "there is no input \"z\""},
      {{"--input", "z=nothing"}, "there is no input \"z\""},
      {{"--metric", "m='x'"}, "metric \"m\": \"'x'\" is no number"},
      {{"--input", "x=" + write("short", "123")}, "input \"x\" takes 16384 bytes, and 3 are given"},
      {{"--reference", "x=" + ones}, "there is no output \"x\""},
      {{"--reference", "y=" + write("short", "123")},
       "output \"y\" has 16384 bytes, its reference 3"},
      {{"--metric", "m=nothing * 2"}, "metric \"m\": \"nothing * 2\""},
      {{"--input", "x=/dev/zero"}, "it is no ordinary file; choose another"},
      {{"--run-limit", "0"}, "--run-limit: give seconds above 0"},
      {{"--build-limit", "nan"}, "\"nan\" is no number"},
      {{"--build-limit", "-2"}, "--build-limit: give seconds above 0"},
      {{"--budget", "nan"}, "\"nan\" is no number"},
      {{"--budget", "-1"}, "--budget: give seconds, or 0 for no limit"},
      {{"--seed", "-1"}, "\"-1\" is no whole number from 0 to 18446744073709551615"},
      {{"--seed", ""}, "\"\" is no whole number"},
      {{"--out", "/does/not/exist/x.json"}, "cannot write \"/does/not/exist/x.json\""},
  };
  for (const auto& [arguments, message] : mistakes) {
    const auto result = tune(arguments);
    EXPECT_NE(result.exit_code, 0) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
  }
}

TEST_F(Tune, ExhaustiveRecordsTheWholeSpace) {
  const auto tuned = record();
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  EXPECT_EQ(nlohmann::json::parse(tuned.out)[0]["stopped"], "whole space tried");
  const auto again = record();  // failures are known by now, and recorded all the same
  ASSERT_THAT(again.exit_code, ::testing::AnyOf(0, 3)) << again.err;
  const auto recording = recording::read_recording(folder_ / "out.json.gz");
  ASSERT_TRUE(recording) << recording.error().message;
  ASSERT_EQ(recording->rows.size(), 6U);
  for (const recording::Row& row : recording->rows) {
    EXPECT_EQ(row.run_ms.size() >= 3, row.status == recording::Status::ok);
    EXPECT_GT(row.compile_ms, 0);
    EXPECT_THAT(row.timestamp, ::testing::MatchesRegex("20.*-.*-.* .*:.*:.*\\.[0-9]*\\+00:00"));
  }
  EXPECT_EQ(*recording->metadata.find("kernel"), Value(std::string("twice")));
}

// Command and applications share their files: either explains and draws the other's decisions.
TEST_F(Tune, ExplainDrawsAnApplicationsDecision) {
  auto runtime = Runtime::open(open_reference({.threads = 1}),
                               {.mode = Mode::natural,
                                .miss_budget = {.seconds = 0, .evaluations = 100},
                                .files = {.folder = folder_ / "cache" / "vyre"}});
  ASSERT_TRUE(runtime);
  ASSERT_TRUE(runtime->declare(testing::busy_program(), {.space = testing::busy_space()}));
  std::vector<std::uint32_t> x = testing::words(500);
  std::vector<std::uint32_t> y = testing::words(500);
  std::vector<std::uint32_t> z(500);
  ASSERT_TRUE(runtime->launch(testing::busy_program(), {{"x", x}}));
  ASSERT_TRUE(runtime->launch(testing::free_program(), {{"x", y}, {"out", z}}));
  ASSERT_EQ(runtime->cache().entries().size(), 2U);
  for (const CacheEntry& entry : runtime->cache().entries()) {
    const std::string svg = (folder_ / "application.svg").string();
    const auto explained = vyre({"explain", to_string(entry.key), "--plot", svg});
    EXPECT_EQ(explained.exit_code, 0) << explained.err;
    EXPECT_EQ(explained.err, "");
    EXPECT_THAT(contents(svg), HasSubstr(entry.decision.program + ": a campaign's samples"));
  }
}

TEST_F(Tune, ExplainDrawsTheCampaign) {
  const auto tuned = record();
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const std::string key = nlohmann::json::parse(tuned.out)[0]["decision"];
  const std::string svg = (folder_ / "out.svg").string();
  const auto explained = vyre({"explain", key, "--plot", svg});
  ASSERT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_EQ(explained.err, "");
  const std::string drawn = contents(svg);
  EXPECT_EQ(testing::xml_problem(drawn), "");
  EXPECT_THAT(drawn, HasSubstr("twice: a campaign's samples in order"));
  EXPECT_THAT(drawn, HasSubstr("4 failed"));

  std::filesystem::path journal;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder_ / "cache" / "vyre" / "journals")) {
    if (entry.path().extension() == ".jsonl") journal = entry.path();
  }
  ASSERT_EQ(vyre({"explain", journal, "--plot", svg}).exit_code, 0);
  EXPECT_EQ(contents(svg), drawn);
  EXPECT_EQ(vyre({"explain", journal}).err,
            "vyre: a journal can only be drawn; add --plot OUT.svg, or give a key\n");
  EXPECT_THAT(vyre({"explain", key, "--plot", (folder_ / "no/x.svg").string()}).err,
              HasSubstr("make it or choose another place\n"));

  const auto decisions = folder_.path() / "cache" / "vyre" / "tuner";
  for (const auto& entry : std::filesystem::directory_iterator(decisions)) {
    if (entry.path().extension() == ".toml") std::filesystem::copy(entry, folder_ / "copy.toml");
  }
  std::filesystem::copy(folder_ / "copy.toml", decisions / "copy.toml");
  EXPECT_THAT(vyre({"explain", key, "--plot", svg}).err, HasSubstr("2 decisions have the key v2-"));
  std::filesystem::remove(decisions / "copy.toml");

  // A campaign of the same program with other times
  std::string text = contents(journal);
  for (std::size_t at = text.find("\"ms\":"); at != std::string::npos;
       at = text.find("\"ms\":", at + 1)) {
    text.insert(at + 5, "1");
  }
  std::ofstream(journal) << text;
  const auto later = vyre({"explain", key, "--plot", svg});
  EXPECT_EQ(later.exit_code, 0);
  EXPECT_EQ(later.err, "vyre: the plot is of a later campaign: the decision's own is gone\n");
  std::filesystem::remove(journal);
  const auto gone = vyre({"explain", key, "--plot", svg});
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_THAT(gone.err, HasSubstr("`vyre tune` leaves one, so tune it again\n"));
}

TEST_F(Tune, MistakesAreFoundBeforeTuningStarts) {
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    const char* message;
  };
  const std::vector<Case> cases{
      {{"--budget", "0"}, 1, "the budget is empty; give --budget seconds or --evaluations"},
      {{"saxpi"}, 1, "there is no bundled problem \"saxpi\"; did you mean \"saxpy\"?"},
      {{"/does/not/exist.json"}, 1, "\"/does/not/exist.json\""},
      {{"twice.cl"},
       1,
       "\"twice.cl\" is neither a bundled kernel nor a file that can be tuned; give the T1 file "
       "that describes the kernel, whose name ends in .json, or a sequence, whose name ends in "
       ".vyre"},
      {{"saxpy", "--size", "n"}, 1, "--size \"n\": write it as NAME=NUMBER, the number above 0"},
      {{"saxpy", "--size", "n=0"}, 1, "--size \"n=0\": write it as NAME=NUMBER"},
      {{"saxpy", "--size", "m=4"}, 1, "\"m\""},
      {{"saxpy", "--device", "opencl:9"}, 4, "device \"opencl:9\""},
      {{"saxpy", "--device", "bets"},
       4,
       "did you mean \"best\"?; `vyre devices` lists the devices"},
      {{"saxpy", "--strategy", "naturel", "--size", "n=4096"}, 1, "naturel"},
      {{"--out", "x.json"},
       1,
       "--out, --input, --reference, --ignore, --verify, --metric, --set, --atol, --rtol and "
       "--seed-from take one kernel; name it"},
      {{"saxpy", "--atol", "-1"}, 2, "--atol: Value -1 not in range"},
  };
  for (const auto& [arguments, exit_code, message] : cases) {
    std::vector<std::string> all{"tune"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto result = vyre(all);
    EXPECT_EQ(result.exit_code, exit_code) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
  }
}

// The kernel's own lines, and not those of a file that the compiler was given.
TEST_F(Tune, ErrorsOfACompilerNameTheUsersFiles) {
  const std::string t1 = write("twice.json", testing::to_t1({.ways = "0, 3"}));
  write("twice.cl",
        std::string("#include \"part.h\"\n") + kKernel + "int late(int x) { return z; }\n");
  write("part.h", "// one\n// two\nint part(int x) { return y; }\n");
  const auto tuned = vyre({"tune", t1, "--device", "opencl"});
  EXPECT_EQ(tuned.exit_code, 5);
  EXPECT_THAT(tuned.err, HasSubstr("part.h:3:"));
  EXPECT_THAT(tuned.err, HasSubstr("twice.cl:18:"));
  EXPECT_THAT(tuned.err, ::testing::Not(HasSubstr("/part.h"))) << "by the name in the directive";
  write("part.h", "// nothing\n");
  write("twice.cl", std::string("#include \"part.h\"\n") + kKernel);
  EXPECT_THAT(vyre({"tune", t1, "--device", "opencl", "--verbose"}).err, HasSubstr("twice.cl:6:"));
}

TEST_F(Tune, ADefaultThatIsWrongEndsItWithItsOwnExitCode) {
  std::string problem = kProblem;
  problem.replace(problem.find("\"Default\": 0"), 12, "\"Default\": 3");
  const auto result = vyre({"tune", write("twice.json", problem)});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("the default configuration (block=64, way=3) does not run"));
}

}  // namespace
}  // namespace vyre
