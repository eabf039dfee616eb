// Chains of steps as a user tunes them: `vyre fuse FILE`, `vyre tune FILE --fuse`, `vyre explain`,
// `vyre run FILE --fuse`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "terminal.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

using ::testing::HasSubstr;

// y = a (x + 1), over a buffer of its own.
constexpr const char* kChain = R"(
program plus {
  shape n: u32
  tunable block: u32 = 64u in 32u, 64u, 256u
  read x: f32[n]
  write t: f32[n]
  workgroup [block]
  grid [(n + block - 1u) / block]

  let i: u32 = global_id(0)
  if i < n {
    t[i] = x[i] + 1f
  }
}

program times {
  shape n: u32
  scalar a: f32
  tunable block: u32 = 64u in 32u, 64u, 256u
  read t: f32[n]
  write y: f32[n]
  workgroup [block]
  grid [(n + block - 1u) / block]

  let i: u32 = global_id(0)
  if i < n {
    y[i] = a * t[i]
  }
}

sequence plus_times {
  shape n: u32 = 100000u
  scalar a: f32
  read x: f32[n]
  scratch t: f32[n]
  write y: f32[n]
  run plus(x, t)
  run times(t, y; a = a)
}
)";

class Fusion : public ::testing::Test {
 protected:
  Fusion() : chain_(write("chain.vyre", kChain)) {}

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::vector<std::string> environment() const {
    return {"XDG_CACHE_HOME=" + (folder_ / "cache").string()};
  }

  testing::CommandResult vyre(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), VYRE_CLI);
    return testing::run_command(
        arguments, {.timeout = std::chrono::milliseconds(120'000), .environment = environment()});
  }

  testing::TemporaryFolder folder_;
  std::string chain_;
};

TEST_F(Fusion, ListsLinksKindsAndRefusals) {
  const auto text = vyre({"fuse", chain_});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("plus_times: 2 steps"));
  EXPECT_THAT(text.out, HasSubstr("1 plus, 2 times"));
  const auto listed = vyre({"fuse", chain_, "--json"});
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  const auto json = nlohmann::json::parse(listed.out);
  EXPECT_EQ(json["steps"], nlohmann::json({"plus", "times"}));
  ASSERT_EQ(json["links"].size(), 1U);
  const auto& link = json["links"][0];
  EXPECT_EQ(link["tunable"], "fuse_0");
  EXPECT_FALSE(link["kinds"].empty());
  EXPECT_EQ(link["kinds"].size() + link["refused"].size(), 4U);
  for (const auto& refused : link["refused"]) {
    EXPECT_NE(refused["rule"], "");
    EXPECT_NE(refused["why"], "");
  }
  EXPECT_FALSE(json["intervals"].empty());
}

TEST_F(Fusion, ATunedChainIsExplained) {
  const auto tuned = vyre({"tune", chain_, "--fuse", "--device", "opencl", "--budget", "60",
                           "--evaluations", "8", "--json"});
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  const auto json = nlohmann::json::parse(tuned.out)[0];
  EXPECT_EQ(json["kernel"], "plus_times");
  EXPECT_EQ(json["failures"], 0);
  EXPECT_TRUE(json["config"].contains("fuse_0"));
  const auto explained = vyre({"explain", json["decision"].get<std::string>()});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("  plan        " + json["plan"].get<std::string>()));

  // Without --fuse the chain stays as it is, and only its tunables are searched.
  const auto apart = vyre({"tune", chain_, "--device", "opencl", "--budget", "60", "--evaluations",
                           "3", "--json", "--size", "n=5000", "--set", "a=2"});
  ASSERT_THAT(apart.exit_code, ::testing::AnyOf(0, 3)) << apart.err;
  const auto plain = nlohmann::json::parse(apart.out)[0];
  EXPECT_FALSE(plain["config"].contains("fuse_0"));
  EXPECT_TRUE(plain["plan"].is_null());
}

TEST_F(Fusion, AFusedRunGivesWhatTheStepsGive) {
  const auto digest = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run",   chain_, "--device", "reference",
                                       "--set", "a=3",  "--json",   "--fuse"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = vyre(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["outputs"][0]["blake3"].get<std::string>();
  };
  const auto listed = nlohmann::json::parse(vyre({"fuse", chain_, "--json"}).out);
  const std::string apart = digest({});
  ASSERT_FALSE(listed["intervals"].empty());
  for (const char* kind : {"1", "2", "3", "4", "77"}) {
    EXPECT_EQ(digest({"--set", std::string("fuse_0=") + kind}), apart) << kind;
  }
}

TEST_F(Fusion, AKilledCampaignGoesOn) {
  const std::vector<std::string> command{VYRE_CLI, "tune",     chain_, "--fuse", "--device",
                                         "opencl", "--budget", "100",  "--size", "n=3000000"};
  {
    Terminal terminal(command, environment());
    ASSERT_TRUE(terminal.wait_for("plus_times: best ")) << terminal.text();
    terminal.kill(SIGKILL);
    ASSERT_TRUE(terminal.wait_for_end(3)) << terminal.text();
  }
  std::vector<std::string> again(command.begin() + 1, command.end());
  again.emplace_back("--json");
  const auto tuned = vyre(again);
  ASSERT_THAT(tuned.exit_code, ::testing::AnyOf(0, 3)) << tuned.err;
  EXPECT_GT(nlohmann::json::parse(tuned.out)[0]["resumed"], 0);
}

TEST_F(Fusion, BadInputsGiveOneLine) {
  const std::string shapeless =
      write("shapeless.vyre",
            "program p { shape n: u32 tunable t: u32 = 1u in 1u, 2u write y: u32[n] y[0u] = t }");
  const std::string fixed =
      write("fixed.vyre", "program p { tunable t: u32 = 1u write y: u32[4u] y[0u] = t }");
  const std::string broken = write("broken.vyre", "sequence s { run p() }");
  std::string many =
      "program p { read_write y: u32[4u] y[0u] = 1u }\nsequence s { read_write y: "
      "u32[4u]\n";
  for (int k = 0; k < 40; ++k) many += "run p(y)\n";
  const std::string longer = write("longer.vyre", many + "}");
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    std::string message;
  };
  const std::vector<Case> table{
      {{"tune", shapeless},
       1,
       "vyre: p: shape \"n\" has no size; give one (--size n=1000), or declare it with one\n"},
      {{"tune", chain_, "--size", "m=3"},
       1,
       "vyre: plus_times: there is no shape \"m\"; did you mean \"n\"?\n"},
      {{"tune", chain_, "--size", "n=5000000000"},
       1,
       "vyre: plus_times: shape \"n\" cannot be 5000000000; give a number from 1 to 4294967295\n"},
      {{"tune", chain_, "--size", "n=4000000000"},
       1,
       "vyre: plus_times: buffer \"x\" of 4000000000 elements is above 2 GiB; choose smaller "
       "sizes\n"},
      {{"tune", chain_, "--set", "b=3"},
       1,
       "vyre: plus_times: there is no scalar \"b\"; did you mean \"a\"?\n"},
      {{"tune", chain_, "--set", "a=true"},
       1,
       "vyre: plus_times: scalar \"a\" cannot be true; it is a f32\n"},
      {{"tune", chain_, "--set", "a=big"},
       1,
       "vyre: --set \"a=big\": \"big\" is no number, true or false\n"},
      {{"tune", fixed},
       1,
       "vyre: p: there is nothing to tune; list the values of a tunable, as in \"tunable t: u32 = "
       "1u in 1u, 2u\"\n"},
      {{"tune", fixed, "--fuse"},
       1,
       "vyre: p: there is nothing to tune, and no two steps can be fused; list the values of a "
       "tunable, as in \"tunable t: u32 = 1u in 1u, 2u\"\n"},
      {{"tune", "saxpy", "--fuse"},
       1,
       "vyre: \"saxpy\": --fuse and --set are for sequences in text form, files that end in "
       ".vyre\n"},
      {{"tune", longer, "--fuse"},
       1,
       "vyre: \"s\": it has 40 steps, and fusion is planned for 32 at most; split it\n"},
      {{"fuse", longer},
       1,
       "vyre: \"s\": it has 40 steps, and fusion is planned for 32 at most; split it\n"},
      {{"fuse", broken}, 1, "vyre: \"" + broken + "\": line 1, column 18: unknown program \"p\"\n"},
      {{"fuse", chain_, "--ranks", "8"},
       2,
       "vyre: give a file, or --ranks and --threshold, but not both; see vyre fuse --help\n"},
      {{"fuse", "--ranks", "8"}, 2, "vyre: --threshold is required; see vyre fuse --help\n"},
  };
  for (const auto& [arguments, exit_code, message] : table) {
    const auto result = vyre(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << message;
    EXPECT_EQ(result.err, message);
  }
}

}  // namespace
}  // namespace vyre
