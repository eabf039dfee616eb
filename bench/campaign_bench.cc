// Whole campaigns, as `vyre tune` runs them on the best device: what they gain, and how much of
// their time is the tuner's own: everything but compiling and running kernels.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "testing/bench.h"
#include "testing/run_command.h"
#include "testing/temporary_folder.h"
#include "vyre/problem.h"

namespace vyre::testing {
namespace {

constexpr const char* kSeconds = "8";
constexpr double kMuchFaster = 1.5;

struct Tuned {
  double gain = 0;
  double own_percent = 0;
};

std::optional<Tuned> tune(std::string_view kernel) {
  const TemporaryFolder folder;  // nothing is known, nothing is compiled
  const auto result =
      run_command({VYRE_CLI, "tune", std::string(kernel), "--budget", kSeconds, "--json"},
                  {.timeout = std::chrono::milliseconds(120'000),
                   .environment = {"XDG_CACHE_HOME=" + folder.path().string()}});
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  if (!json.is_array() || json.empty()) return std::nullopt;
  const double seconds = json[0]["seconds"];
  const double kernels = json[0]["kernel_seconds"];
  return Tuned{json[0]["gain"], 100 * (seconds - kernels) / seconds};
}

VYRE_BENCHMARK(campaigns) {
  int much_faster = 0;
  for (const auto& bundled : bundled_problems()) {
    const auto tuned = tune(bundled.name);
    if (!tuned) {
      report.add({.name = fmt::format("tune {}", bundled.name), .unit = "x", .note = "it failed"});
      continue;
    }
    much_faster += tuned->gain >= kMuchFaster ? 1 : 0;
    report.add({.name = fmt::format("tune {}, {} s: gain over the default", bundled.name, kSeconds),
                .value = tuned->gain,
                .unit = "x",
                .goal = at_least(1)});
    report.add({.name = fmt::format("tune {}, {} s: the tuner's own time", bundled.name, kSeconds),
                .value = tuned->own_percent,
                .unit = "%",
                .goal = at_most(5)});
  }
  report.add({.name = "bundled kernels tuned to 1.5 times their default's speed",
              .value = static_cast<double>(much_faster),
              .unit = "kernels",
              .goal = at_least(3)});
}

}  // namespace
}  // namespace vyre::testing
