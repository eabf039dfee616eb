// One processor through several OpenCL implementations: each is a device of its own. Every
// implementation has its own processes, as in all tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "testing/run_command.h"
#include "testing/temporary_folder.h"

namespace vyre {
namespace {

using nlohmann::json;

const std::vector<std::string> kImplementations{"pocl", "intel", "rusticl"};

class OpenclDrivers : public ::testing::Test {
 protected:
  // What `vyre` prints as JSON with that implementation alone; null where this machine lacks it.
  json vyre(const std::string& implementation, std::vector<std::string> arguments) const {
    const std::vector<std::string> start{VYRE_SOURCE_DIR "/tools/with_driver", implementation,
                                         VYRE_CLI};
    arguments.insert(arguments.begin(), start.begin(), start.end());
    const auto result = testing::run_command(
        arguments, {.timeout = std::chrono::milliseconds(120'000),
                    .environment = {"XDG_CACHE_HOME=" + folder_.path().string(),
                                    "VYRE_TEST_TOOLS=" VYRE_TEST_TOOLS_DIR}});
    if (result.out.starts_with("[  SKIPPED ]")) return {};
    EXPECT_THAT(result.exit_code, ::testing::AnyOf(0, 3)) << implementation << ": " << result.err;
    return json::parse(result.out, nullptr, false);
  }

  testing::TemporaryFolder folder_;
};

TEST_F(OpenclDrivers, AreDevicesOfTheirOwn) {
  std::set<std::string> fingerprints;
  std::size_t found = 0;
  for (const std::string& implementation : kImplementations) {
    const json listed = vyre(implementation, {"devices", "--json"});
    if (listed.is_null()) continue;
    ++found;
    const json& first = listed["devices"][0];
    EXPECT_EQ(first["backend"], "opencl") << implementation;
    EXPECT_EQ(first["kind"], "cpu") << implementation;
    fingerprints.insert(first["fingerprint"]);
    // Mesa 22.3 has no clock there; newer versions do.
    const bool has_clock = !first["driver"].get<std::string>().starts_with("22.");
    EXPECT_EQ(first["clock_step_ns"] > 0, has_clock) << implementation;
  }
  EXPECT_EQ(fingerprints.size(), found);
}

// All in one file of decisions: none is served to, or resumed by, another implementation.
TEST_F(OpenclDrivers, KeepTheirDecisionsApart) {
  std::size_t found = 0;
  for (const std::string& implementation : kImplementations) {
    const json tuned = vyre(implementation, {"tune", "saxpy", "--size", "n=65536", "--evaluations",
                                             "3", "--budget", "60", "--json"});
    if (tuned.is_null()) continue;
    ++found;
    EXPECT_EQ(tuned[0]["evaluations"], 3) << implementation;
    EXPECT_EQ(tuned[0]["resumed"], 0) << implementation;
    EXPECT_GT(tuned[0]["tuned"]["ns"], 0) << implementation;
    const json listed = vyre(implementation, {"devices", "--json"});
    if (listed["devices"][0]["clock_step_ns"] == 0) {
      EXPECT_EQ(tuned[0]["host_clock"], true) << implementation;
    }
  }
  const json kept = vyre("pocl", {"cache", "list", "--json"});
  if (kept.is_null()) GTEST_SKIP() << "PoCL is not installed; run tools/setup";
  EXPECT_EQ(kept.size(), found) << kept.dump(2);
}

}  // namespace
}  // namespace vyre
