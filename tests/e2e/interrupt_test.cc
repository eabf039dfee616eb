// `vyre tune` on a terminal: what it says while nothing is known yet, and that it ends when it is
// told to, whatever it is doing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "opencl_faults.h"
#include "terminal.h"
#include "testing/temporary_folder.h"
#include "testing/twice_problem.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Generous: the promise is a second.
constexpr double kSecondsToEnd = 3;

// `way` 1 takes minutes to compile, 2 runs for ever.
constexpr const char* kKernel = R"(
kernel void twice(global const float* x, global float* y, uint n) {
  uint i = get_global_id(0);
  float sum = 2 * x[i];
#if way == 1
  #pragma unroll
  for (int a = 0; a < 1000; ++a)
    #pragma unroll
    for (int b = 0; b < 1000; ++b) sum += sin(sum * a + b);
#endif
#if way == 2
  volatile int forever = 1;
  while (forever) {}
#endif
  if (i < n) y[i] = sum;
}
)";

class OnATerminal : public ::testing::Test {
 protected:
  OnATerminal() { std::ofstream(folder_ / "twice.cl") << kKernel; }

  std::unique_ptr<Terminal> tune(const std::string& ways, int standard,
                                 const std::vector<std::string>& more = {},
                                 std::vector<std::string> environment = {}) const {
    std::ofstream(folder_ / "twice.json") << testing::to_t1({.ways = ways, .standard = standard});
    std::vector<std::string> argv{VYRE_CLI, "tune", (folder_ / "twice.json").string(), "--device",
                                  "opencl"};
    argv.insert(argv.end(), more.begin(), more.end());
    environment.push_back("XDG_CACHE_HOME=" + (folder_ / "cache").string());
    environment.push_back("POCL_CACHE_DIR=" + (folder_ / "pocl").string());
    return std::make_unique<Terminal>(argv, std::move(environment));
  }

  testing::TemporaryFolder folder_;
};

// For the compiler to be at work.
void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(300)); }

TEST_F(OnATerminal, TheFirstLineSaysWhatIsWaitedFor) {
  const auto command = tune("1", 1);
  EXPECT_TRUE(command->wait_for("twice: compiling the default, 0 s")) << command->text();
  EXPECT_TRUE(command->wait_for("twice: compiling the default, 1 s")) << command->text();
  EXPECT_THAT(command->text(), Not(HasSubstr("best")));
}

TEST_F(OnATerminal, SignalsEndACompilation) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto command = tune("1", 1);
    ASSERT_TRUE(command->wait_for("compiling the default")) << command->text();
    wait_a_moment();
    command->kill(signal);
    const auto status = command->wait_for_end(kSecondsToEnd);
    ASSERT_TRUE(status) << signal << command->text();
    EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 1) << *status;
    EXPECT_THAT(command->text(),
                HasSubstr("vyre: interrupted; the same command goes on from where it stopped"));
  }
}

TEST_F(OnATerminal, WhatWasFoundIsShown) {
  const auto command = tune("0, 1", 0, {"--budget", "100"});
  ASSERT_TRUE(command->wait_for("twice: best ")) << command->text();
  wait_a_moment();
  command->kill(SIGINT);
  const auto status = command->wait_for_end(kSecondsToEnd);
  ASSERT_TRUE(status) << command->text();
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 1) << *status;
  EXPECT_THAT(command->text(), HasSubstr("tried  failed"));
  EXPECT_THAT(command->text(), HasSubstr("way=0\r\n"));
  EXPECT_THAT(command->text(), HasSubstr("vyre: interrupted; the same command goes on"));
}

// No other process can be ended here in place of the command.
TEST_F(OnATerminal, SignalsEndACompilationInTheProcessToo) {
  const auto command = tune("1", 1, {"--in-process"});
  ASSERT_TRUE(command->wait_for("compiling the default")) << command->text();
  wait_a_moment();
  command->kill(SIGINT);
  const auto status = command->wait_for_end(kSecondsToEnd);
  ASSERT_TRUE(status) << command->text();
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 1) << *status;
  EXPECT_THAT(command->text(), HasSubstr("vyre: interrupted; the same command goes on"));
}

TEST_F(OnATerminal, ASecondSignalEndsItAtOnce) {
  const auto command = tune("1", 1, {"--in-process"});
  ASSERT_TRUE(command->wait_for("compiling the default")) << command->text();
  wait_a_moment();
  command->kill(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  command->kill(SIGINT);
  const auto status = command->wait_for_end(kSecondsToEnd);
  ASSERT_TRUE(status) << command->text();
  EXPECT_TRUE(WIFSIGNALED(*status) && WTERMSIG(*status) == SIGINT) << *status;
}

TEST_F(OnATerminal, AStoppedWorkerDoesNotOutliveItsCampaign) {
  const auto command = tune("2", 2);
  ASSERT_TRUE(command->wait_for("compiling the default")) << command->text();
  wait_a_moment();
  const std::vector<pid_t> workers = command->children();
  ASSERT_FALSE(workers.empty());
  for (const pid_t worker : workers) ::kill(worker, SIGSTOP);
  command->kill(SIGKILL);
  ASSERT_TRUE(command->wait_for_end(kSecondsToEnd));
  for (int k = 0; k < 100 && std::ranges::any_of(workers, is_alive); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (const pid_t worker : workers) EXPECT_FALSE(is_alive(worker));
}

// PoCL leaves an empty file for each process; those do not count. Links are not followed.
std::size_t temporary_files_in(const std::filesystem::path& folder) {
  std::size_t count = 0;
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, failed)) {
    const bool is_file = entry.is_regular_file() && !entry.is_symlink() && entry.file_size() > 0;
    if (is_file && entry.path().filename().string().starts_with("temp")) ++count;
  }
  return count;
}

TEST_F(OnATerminal, KilledCompilersLeaveNoTemporaryFiles) {
  const auto command = tune("0, 1", 0, {"--budget", "3"});
  const auto status = command->wait_for_end(60);
  ASSERT_TRUE(status) << command->text();
  EXPECT_THAT(WEXITSTATUS(*status), ::testing::AnyOf(0, 3)) << command->text();
  EXPECT_EQ(temporary_files_in(folder_ / "pocl"), 0U);
  const auto kernels = [](const auto& entry) { return entry.path().extension() == ".so"; };
  EXPECT_GT(std::ranges::count_if(std::filesystem::recursive_directory_iterator(folder_ / "pocl"),
                                  kernels),
            0)
      << "compiled kernels stay";
  // The campaign is killed too: the next worker cleans up.
  const auto killed = tune("0, 1", 1);
  ASSERT_TRUE(killed->wait_for("compiling the default")) << killed->text();
  wait_a_moment();
  killed->kill(SIGKILL);
  ASSERT_TRUE(killed->wait_for_end(kSecondsToEnd));
  ASSERT_TRUE(std::filesystem::is_directory(folder_ / "pocl" / "vyre-worker-0"));
  std::ofstream(folder_ / "pocl" / "vyre-worker-0" / "tempfile_of_a_killed_one") << "x";
  const auto next = tune("0", 0, {"--evaluations", "1"});
  ASSERT_TRUE(next->wait_for_end(30)) << next->text();
  EXPECT_EQ(temporary_files_in(folder_ / "pocl"), 0U);
}

// Else it takes as long as the compiler does, whatever the budget: without the default there is
// nothing to compare with.
TEST_F(OnATerminal, ADefaultThatTakesTooLongToCompileEndsWithItsLimit) {
  const auto command = tune("1", 1, {"--build-limit", "1", "--run-limit", "1"});
  const auto status = command->wait_for_end(30);
  ASSERT_TRUE(status) << command->text();
  EXPECT_EQ(WEXITSTATUS(*status), 5) << command->text();
  EXPECT_THAT(command->text(),
              HasSubstr("the default configuration (block=64, way=1) does not run: "
                        "compiling took more than 1 s"));
}

class WithKills : public OnATerminal {
 protected:
  WithKills() { std::filesystem::create_directory(kills_); }

  std::unique_ptr<Terminal> tune_with_kills(const std::string& ways) const {
    auto environment = with_fault("none:1");
    environment.push_back("OPENCL_KILLS=" + kills_.string());
    return tune(ways, 0, {"--budget", "100"}, std::move(environment));
  }
  void kill(const std::string& how_often) const { std::ofstream(kills_ / how_often) << "kill\n"; }
  // Empty if nothing is in quarantine.
  std::string quarantine() const {
    std::string out;
    std::error_code none;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ / "cache" / "vyre" / "tuner", none)) {
      if (entry.path().native().ends_with("quarantine.jsonl")) {
        std::getline(std::ifstream(entry.path()), out, '\0');
      }
    }
    return out;
  }

  std::filesystem::path kills_ = folder_ / "kills";
};

TEST_F(WithKills, WorkersThatAreKilledAreNotTheConfigurationsFault) {
  kill("once");
  const auto command = tune_with_kills("0, 3");
  ASSERT_TRUE(command->wait_for("twice: best ")) << command->text();
  kill("once");
  const auto status = command->wait_for_end(60);
  ASSERT_TRUE(status) << command->text();
  EXPECT_TRUE(WIFEXITED(*status)) << *status;
  EXPECT_THAT(WEXITSTATUS(*status), ::testing::AnyOf(0, 3)) << command->text();
  EXPECT_TRUE(std::filesystem::is_empty(kills_));
  EXPECT_EQ(quarantine(), "");
}

TEST_F(WithKills, AMachineThatFailsBlamesNobodyAndWhatWasFoundIsShown) {
  const auto command = tune_with_kills("0, 3, 4");
  ASSERT_TRUE(command->wait_for("twice: best ")) << command->text();
  kill("always");
  const auto status = command->wait_for_end(60);
  ASSERT_TRUE(status) << command->text();
  EXPECT_TRUE(WIFEXITED(*status) && WEXITSTATUS(*status) == 1) << command->text();
  EXPECT_THAT(command->text(), HasSubstr("tried  failed"));
  EXPECT_THAT(command->text(),
              HasSubstr("vyre: twice: neither a small kernel nor the default runs any more (it "
                        "crashed (signal 9)): see whether disk or memory is full or something "
                        "kills processes, then run it again"));
  EXPECT_EQ(quarantine(), "");
}

}  // namespace
}  // namespace vyre
