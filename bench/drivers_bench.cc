// The bundled kernels on two OpenCL implementations of one processor: PoCL's and Intel's.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "testing/bench.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "vyre/problem.h"

namespace vyre::testing {
namespace {

constexpr const char* kWithDriver = VYRE_SOURCE_DIR "/tools/with_driver";
constexpr const char* kCampaignSeconds = "8";

struct OnDriver {
  bool is_absent = false;
  double tuned_ms = 0;  // 0: the campaign failed
  double gain = 0;
};

// Nothing is known, nothing is compiled, and no other implementation is in the process.
OnDriver tune_on(const char* implementation, std::string_view kernel) {
  const TemporaryFolder folder;
  const auto result = run_command({kWithDriver, implementation, VYRE_CLI, "tune",
                                   std::string(kernel), "--budget", kCampaignSeconds, "--json"},
                                  {.timeout = std::chrono::milliseconds(120'000),
                                   .environment = {"XDG_CACHE_HOME=" + folder.path().string(),
                                                   "VYRE_TEST_TOOLS=" VYRE_TEST_TOOLS_DIR}});
  if (result.out.starts_with("[  SKIPPED ]")) return {.is_absent = true};
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  if (!json.is_array() || json.empty()) return {};
  return {.tuned_ms = json[0]["tuned"]["ns"].get<double>() / 1e6, .gain = json[0]["gain"]};
}

VYRE_BENCHMARK(drivers) {
  for (const auto& bundled : bundled_problems()) {
    const OnDriver intel = tune_on("intel", bundled.name);
    const OnDriver pocl = intel.is_absent ? OnDriver{} : tune_on("pocl", bundled.name);
    if (intel.is_absent || pocl.is_absent) {
      report.add({.name = "bundled kernels on Intel's runtime and on PoCL",
                  .unit = "ms",
                  .note = fmt::format("{} is absent; run tools/setup --all",
                                      intel.is_absent ? "Intel's runtime" : "PoCL")});
      return;
    }
    report.add({.name = fmt::format("tuned {} on Intel's runtime, against PoCL", bundled.name),
                .value = intel.tuned_ms,
                .unit = "ms",
                .baseline = pocl.tuned_ms,
                .ratio = intel.tuned_ms > 0 ? pocl.tuned_ms / intel.tuned_ms : 0,
                .note = intel.tuned_ms > 0 && pocl.tuned_ms > 0
                            ? fmt::format("gains {:.2f} x and {:.2f} x", intel.gain, pocl.gain)
                            : "a campaign failed"});
  }
}

}  // namespace
}  // namespace vyre::testing
