// `vyre tune --launcher` as a user runs it: with plain processes, and with the launchers that this
// machine has. The kernels are real, and so are mistakes in them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testing/run_command.h"
#include "testing/soak.h"
#include "testing/temporary_folder.h"
#include "testing/twice_problem.h"

namespace vyre {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// x[i] * 2; way 1 is wrong, 4 crashes.
constexpr const char* kTwice = R"(
kernel void twice(global const float* x, global float* y, uint n) {
  uint i = get_global_id(0);
  if (i < n) y[i] = way == 1 ? x[i] : 2 * x[i];
#if way == 4
  if (i == 0) *(volatile global int*)(16) = 1;
#endif
}
)";

class LaunchersTest : public ::testing::Test {
 protected:
  LaunchersTest() {
    std::ofstream(folder_ / "twice.cl") << kTwice;
    std::ofstream(folder_ / "twice.json") << testing::to_t1({.ways = "0, 1, 4"});
  }

  testing::CommandResult vyre(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    return testing::run_command(
        arguments, {.timeout = std::chrono::milliseconds(120'000),
                    .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string()}});
  }

  static bool has(const std::string& program) {
    return testing::run_command({"sh", "-c", "command -v " + program}).exit_code == 0;
  }

  // Tunes a kernel of the language there, and finds the decision here.
  void tunes_with(const std::string& launcher) {
    const auto tuned =
        vyre({"tune", "saxpy", "--size", "n=65536", "--device", "reference", "--evaluations", "6",
              "--budget", "0", "--json", "--workers", "2", "--launcher", launcher});
    ASSERT_THAT(tuned.exit_code, AnyOf(0, 3)) << tuned.out << tuned.err;
    const auto json = nlohmann::json::parse(tuned.out)[0];
    EXPECT_EQ(json["evaluations"], 6);
    EXPECT_LE(json["tuned"]["ns"], json["default"]["ns"]);
    const auto explained = vyre({"explain", json["decision"]});
    EXPECT_EQ(explained.exit_code, 0) << explained.err;
    EXPECT_THAT(explained.out, HasSubstr("saxpy"));
  }

  testing::TemporaryFolder folder_;
};

TEST_F(LaunchersTest, PlainProcesses) { tunes_with("env"); }

// Candidates that are wrong or crash are judged by the workers of the node, and no node is lost.
TEST_F(LaunchersTest, CandidatesThatFailAreJudgedOnTheNode) {
  const auto tuned = vyre({"tune", (folder_ / "twice.json").string(), "--device", "opencl",
                           "--strategy", "exhaustive", "--json", "--verbose", "--launcher", "env"});
  ASSERT_THAT(tuned.exit_code, AnyOf(0, 3)) << tuned.out << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_THAT(tuned.err, HasSubstr("it crashed"));
  EXPECT_THAT(tuned.err, HasSubstr(", not "));
  EXPECT_THAT(tuned.err, ::testing::Not(HasSubstr("is lost")));
  EXPECT_GT(json["failures"], 1);
  // They are known from now on, also without nodes.
  std::string quarantine;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache/vyre/tuner")) {
    if (entry.path().string().find("quarantine") != std::string::npos) {
      std::ifstream in(entry.path());
      quarantine.assign(std::istreambuf_iterator<char>(in), {});
    }
  }
  EXPECT_THAT(quarantine, HasSubstr("it crashed"));
}

TEST_F(LaunchersTest, DataIsReadFromTheNodesOwnFile) {
  const std::string file = (folder_ / "x.bin").string();
  std::ofstream(file) << std::string(4 * 65536, '\0');
  const auto tuned =
      vyre({"tune", "saxpy", "--size", "n=65536", "--device", "reference", "--evaluations", "3",
            "--budget", "0", "--input", "x=" + file, "--launcher", "env"});
  ASSERT_THAT(tuned.exit_code, AnyOf(0, 3)) << tuned.out << tuned.err;
}

// What was found is shown, the nodes end, and the same command goes on from the journal.
TEST_F(LaunchersTest, AnInterruptedCampaignGoesOn) {
  const std::vector<std::string> tune{
      VYRE_CLI, "tune",   "gemm",      "--device", "reference",     "--size", "m=64",
      "--size", "n=64",   "--size",    "k=64",     "--evaluations", "60",     "--budget",
      "0",      "--json", "--workers", "2",        "--launcher",    "env"};
  const testing::CommandOptions options{
      .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string()}};
  // A signal as soon as the journal has a run.
  std::vector<std::string> cut{"sh", "-c", R"(
      journals=$1; shift
      "$@" & tuning=$!
      until grep -qrs '"sample"' "$journals"; do kill -0 $tuning || exit 99; sleep 0.01; done
      kill -TERM $tuning
      wait $tuning
  )",
                               "sh", (folder_ / "cache/vyre/journals").string()};
  cut.insert(cut.end(), tune.begin(), tune.end());
  const auto interrupted = testing::run_command(cut, options);
  ASSERT_EQ(interrupted.exit_code, 1) << interrupted.err;
  EXPECT_THAT(interrupted.err, HasSubstr("interrupted; the same command goes on"));
  const auto whole = testing::run_command(tune, options);
  ASSERT_THAT(whole.exit_code, AnyOf(0, 3)) << whole.err;
  const auto json = nlohmann::json::parse(whole.out)[0];
  EXPECT_GT(json["resumed"], 0);
  EXPECT_EQ(json["evaluations"], 60);
}

TEST_F(LaunchersTest, WordsThatMakeNoSenseAreRefused) {
  struct Case {
    std::vector<std::string> words;
    int exit_code;
    const char* message;
  };
  const Case cases[] = {
      {{"--workers", "2"}, 1, "need --launcher"},
      {{"--launcher", "env", "--in-process"}, 1, "exclude each other"},
      {{"--launcher", "env 'a"}, 1, "a quote is not closed"},
      {{"--launcher", "false"}, 4, "its launcher ended with exit code 1"},
      {{"--launcher", "env", "--device", "opencl:99"}, 4, "node 1"},
      {{"--launcher", "env", "--node-program", "no-such-node"}, 4, "exit code 127"},
  };
  for (const Case& one : cases) {
    std::vector<std::string> words{"tune", "saxpy", "--evaluations", "2"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const auto tuned = vyre(words);
    EXPECT_EQ(tuned.exit_code, one.exit_code) << tuned.err;
    EXPECT_THAT(tuned.err, HasSubstr(one.message));
  }
}

TEST_F(LaunchersTest, OpenMpi) {
  if (!has("mpirun")) GTEST_SKIP() << "there is no mpirun: tools/setup --all";
  tunes_with("mpirun -q --allow-run-as-root --oversubscribe -n 1");
}

// tests/nodes/with_sshd starts a server of its own on loopback, with keys of its own.
TEST_F(LaunchersTest, Ssh) {
  if (!std::filesystem::exists("/usr/sbin/sshd")) GTEST_SKIP() << "no sshd: tools/setup --all";
  const std::string script =
      "exec \"$@\" --launcher \"ssh -F $VYRE_SSH_CONFIG -o BatchMode=yes -o "
      "ServerAliveInterval=2 node\"";
  const auto tuned = testing::run_command(
      {std::string(VYRE_SOURCE_DIR) + "/tests/nodes/with_sshd", "bash", "-c", script, "bash",
       VYRE_CLI, "tune", "saxpy", "--size", "n=65536", "--device", "reference", "--evaluations",
       "6", "--budget", "0", "--json", "--workers", "2"},
      {.timeout = std::chrono::milliseconds(120'000),
       .environment = {"XDG_CACHE_HOME=" + (folder_ / "cache").string()}});
  ASSERT_THAT(tuned.exit_code, AnyOf(0, 3)) << tuned.out << tuned.err;
  EXPECT_EQ(nlohmann::json::parse(tuned.out)[0]["evaluations"], 6);
}

// Each device that the nodes have gets a decision and a journal; nothing is mixed.
TEST_F(LaunchersTest, EveryDeviceOfTheNodesHasADecisionOfItsOwn) {
  const std::string launcher = (folder_ / "launcher").string();
  std::ofstream(launcher) << "#!/bin/sh\nif mkdir '" << (folder_ / "taken").string()
                          << "' 2>/dev/null; then exec \"$1\" --device reference; fi\n"
                             "exec \"$1\" --device opencl\n";
  std::filesystem::permissions(launcher, std::filesystem::perms::owner_all);
  const std::string out = (folder_ / "out.json").string();
  const auto tuned = vyre({"tune", "saxpy", "--size", "n=4096", "--evaluations", "2", "--budget",
                           "0", "--json", "--workers", "2", "--launcher", launcher, "--out", out});
  ASSERT_THAT(tuned.exit_code, AnyOf(0, 3)) << tuned.out << tuned.err;
  EXPECT_THAT(tuned.err, HasSubstr("has another device ("));
  const auto json = nlohmann::json::parse(tuned.out);
  ASSERT_EQ(json.size(), 2U);
  EXPECT_NE(json[0]["device"], json[1]["device"]);
  EXPECT_EQ(json[0]["decision"], json[1]["decision"]);  // the key: kernel and shape
  const std::filesystem::path cache = folder_ / "cache/vyre";
  const auto count = [&](const char* where, const char* ending) {
    return std::ranges::count_if(
        std::filesystem::directory_iterator(cache / where),
        [&](const auto& entry) { return entry.path().string().ends_with(ending); });
  };
  EXPECT_EQ(count("journals", ".jsonl"), 2);
  EXPECT_EQ(count("tuner", ".toml"), 2);
  EXPECT_TRUE(std::filesystem::exists(out));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out-2.json"));
}

// tests/nodes/with_slurm starts a cluster of its own on this machine, and ends it. It is never
// root, and a user that is not may not be able to run what was built here.
constexpr int kMayNotRun = 126;

class SlurmTest : public LaunchersTest {
 protected:
  void SetUp() override {
    if (!has("slurmctld") || !has("slurmd") || !has("munged")) {
      GTEST_SKIP() << "there is no Slurm: tools/setup --all";
    }
  }

  static testing::CommandResult with_slurm(std::vector<std::string> command) {
    command.insert(command.begin(), std::string(VYRE_SOURCE_DIR) + "/tests/nodes/with_slurm");
    return testing::run_command(command, {.timeout = std::chrono::milliseconds(120'000)});
  }
};

TEST_F(SlurmTest, OneCampaignOnTwoNodes) {
  const auto tuned =
      with_slurm({VYRE_CLI, "tune", "saxpy", "--size", "n=65536", "--device", "reference",
                  "--evaluations", "6", "--budget", "0", "--json", "--workers", "2", "--launcher",
                  "srun --quiet -u -N1 -n1 --exact"});
  if (tuned.exit_code == kMayNotRun) GTEST_SKIP() << tuned.err;
  ASSERT_THAT(tuned.exit_code, AnyOf(0, 3)) << tuned.out << tuned.err;
  EXPECT_EQ(nlohmann::json::parse(tuned.out)[0]["evaluations"], 6);
}

// The scripts of examples/slurm, as docs/fleet.md uses them.
TEST_F(SlurmTest, TheScriptsOfTheExamples) {
  if (!testing::soaking()) GTEST_SKIP() << "sbatch --wait takes its time: in make soak";
  const std::string script = R"(
    set -e
    export PATH=$1:$PATH VYRE_OPTIONS="--evaluations 3 --budget 0 --device reference --size n=4096"
    sbatch --wait --array=0-1 "$2/array.sbatch" "$PWD/results" saxpy reduction > /dev/null
    XDG_CACHE_HOME=$PWD/own "$2/merge" results
    XDG_CACHE_HOME=$PWD/own vyre cache list
    sbatch --wait --nodes=2 --output=campaign.log "$2/campaign.sbatch" saxpy $VYRE_OPTIONS || true
    cat campaign.log
  )";
  const auto ran = with_slurm({"bash", "-c", script, "bash",
                               std::filesystem::path(VYRE_CLI).parent_path().string(),
                               std::string(VYRE_SOURCE_DIR) + "/examples/slurm"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("reduction"));
  EXPECT_THAT(ran.out, HasSubstr("on 2 nodes"));
}

}  // namespace
}  // namespace vyre
